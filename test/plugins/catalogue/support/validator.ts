import type { Logger, Metrics } from '../../../../core/index.ts';
import { BoundedSchemaValidator } from '../../../../plugins/catalogue/schema/validator.ts';
import { SchemaPool, type SchemaPoolOptions } from '../../../../plugins/catalogue/schema/schema-pool.ts';

/** A validator by itself, with what it logged and counted. */
export interface ValidatorUnderTest {
  readonly validator: BoundedSchemaValidator;
  readonly warnings: string[];
  readonly tooCostly: { count: number };
  stop(): Promise<void>;
}

export function openValidator(options: Partial<SchemaPoolOptions> = {}): ValidatorUnderTest {
  const workers = new SchemaPool({
    now: () => Date.now(),
    ...options,
  });
  const warnings: string[] = [];
  const tooCostly = { count: 0 };
  const logger = { warn: (_fields: object, message: string) => warnings.push(message) } as unknown as Logger;
  const metrics = { counter: () => ({ inc: () => (tooCostly.count += 1) }) } as unknown as Metrics;
  const validator = new BoundedSchemaValidator({ workers, logger, metrics });
  return { validator, warnings, tooCostly, stop: () => workers.stop() };
}

/** What is wrong with a schema when it is saved, as `pointer message` lines; empty when it is accepted. */
export async function faultsOf(validator: BoundedSchemaValidator, schema: unknown): Promise<string[]> {
  const faults = await validator.faultsOf(schema);
  return faults.map(({ pointer, message }) => `${pointer} ${message}`);
}
