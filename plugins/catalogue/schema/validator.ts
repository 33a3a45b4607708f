import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ValidationFailed, type Logger, type Metrics } from '../../../core/index.ts';
import { SchemaTooCostly, type SchemaFinding, type SchemaValidator, type ValueCheck } from '../contract.ts';
import { brokenBound } from './bounds.ts';
import { compileThoroughCheck } from './compile.ts';
import { isCertainlyCheap } from './cost.ts';
import { isObject, type JsonObject } from './json.ts';
import type { SchemaTask } from './protocol.ts';
import { SchemaTaskFailed, type SchemaWorkers } from './schema-workers.ts';

const MAX_CHECKS = 1_000;

export const TOO_COSTLY_METRIC = {
  kind: 'counter',
  name: 'vitrine_catalogue_schema_too_costly_total',
  help: 'Checks of a value against a schema that ran past their deadline.',
} as const;

const nothingToCheck: ValueCheck = () => [];

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Checks values against schemas of versions: cheap schemas on the main thread, others in workers with a deadline. */
export class BoundedSchemaValidator implements SchemaValidator {
  readonly #workers: SchemaWorkers;
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  readonly #checks = new LRUCache<string, ValueCheck>({ max: MAX_CHECKS });

  constructor(deps: { workers: SchemaWorkers; logger: Logger; metrics: Metrics }) {
    this.#workers = deps.workers;
    this.#logger = deps.logger;
    this.#metrics = deps.metrics;
  }

  async accept(schema: unknown, pointer: string): Promise<void> {
    const faults = await this.#faults(schema);
    if (faults.length === 0) return;
    const errors = faults.map((fault) => ({ pointer: pointer + fault.pointer, message: fault.message }));
    throw ValidationFailed('The schema cannot be used; each fault names its place.', { errors });
  }

  checkFor(schema: JsonObject | null, tooCostly?: () => Promise<void>): ValueCheck {
    if (schema === null || Object.keys(schema).length === 0) return nothingToCheck;
    const text = JSON.stringify(schema);
    const key = keyOf(text);
    const known = this.#checks.get(key);
    if (known !== undefined) return known;
    if (!isCertainlyCheap(schema)) return this.#checkElsewhere(key, text, tooCostly);
    const check = compileThoroughCheck(schema);
    this.#checks.set(key, check);
    return check;
  }

  async #faults(schema: unknown): Promise<readonly SchemaFinding[]> {
    if (!isObject(schema)) return [{ pointer: '', message: 'must be a JSON Schema, written as an object.' }];
    const bound = brokenBound(schema);
    if (bound !== undefined) return [{ pointer: '', message: bound }];
    const text = JSON.stringify(schema);
    const tooCostly = [{ pointer: '', message: 'takes too long to compile or to apply; make it simpler.' }];
    return await this.#inTime({ key: keyOf(text), schema: text }, async () => tooCostly);
  }

  #checkElsewhere(key: string, schema: string, tooCostly?: () => Promise<void>): ValueCheck {
    const tooLate = async (): Promise<never> => {
      this.#metrics.counter(TOO_COSTLY_METRIC.name).inc();
      this.#logger.warn({ schema: key }, 'Checking a value against a schema ran past its deadline.');
      await tooCostly?.().catch((error: unknown) =>
        this.#logger.warn(
          { err: error, schema: key },
          'The mark of a schema that is too costly could not be stored.',
        ),
      );
      throw SchemaTooCostly(
        'Checking the value against the schema of this version took too long and was stopped.',
      );
    };
    return (value) => this.#inTime({ key, schema, value: JSON.stringify(value ?? null) }, tooLate);
  }

  async #inTime(
    task: Omit<SchemaTask, 'id'>,
    otherwise: () => Promise<readonly SchemaFinding[]>,
  ): Promise<readonly SchemaFinding[]> {
    try {
      return await this.#workers.run(task);
    } catch (error) {
      if (error instanceof SchemaTaskFailed) return await otherwise();
      throw error;
    }
  }
}
