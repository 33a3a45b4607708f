import type { Clock } from '../../../../core/index.ts';
import {
  SCHEMA_POOL,
  SchemaPool,
  type SchemaPoolOptions,
} from '../../../../plugins/catalogue/schema/schema-pool.ts';
import { made, type OtherService } from '../../../support/other-services.ts';

/** The catalogue with other limits of time for costly schemas. */
export function schemaLimits(limits: Pick<SchemaPoolOptions, 'compileMs' | 'checkMs'>): OtherService {
  return made(
    SCHEMA_POOL,
    ({ clock }: { readonly clock: Clock }) => new SchemaPool({ now: () => clock.now(), ...limits }),
  );
}

/** On a busy machine a plain schema may take more than the limits allow. */
export const patientWithSchemas = schemaLimits({ compileMs: 2_000, checkMs: 500 });
