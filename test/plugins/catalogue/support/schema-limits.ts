import type { Clock } from '../../../../core/index.ts';
import {
  SCHEMA_WORKERS,
  SchemaWorkers,
  type SchemaWorkersOptions,
} from '../../../../plugins/catalogue/schema/schema-workers.ts';
import { made, type OtherService } from '../../../support/other-services.ts';

/** The catalogue with other limits of time for costly schemas. */
export function schemaLimits(limits: Pick<SchemaWorkersOptions, 'compileMs' | 'checkMs'>): OtherService {
  return made(
    SCHEMA_WORKERS,
    ({ clock }: { readonly clock: Clock }) => new SchemaWorkers({ now: () => clock.now(), ...limits }),
  );
}

/** On a busy machine a plain schema may take more than the limits allow. */
export const patientWithSchemas = schemaLimits({ compileMs: 2_000, checkMs: 500 });
