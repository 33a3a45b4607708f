import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isoTime, type Logger, type Metrics } from '../../../core/index.ts';
import {
  SchemaTooCostly,
  type MarkTooCostly,
  type SchemaFinding,
  type SchemaValidator,
  type ValueCheck,
} from '../contract.ts';
import { schemaFaults } from './accept.ts';
import { brokenBound } from './bounds.ts';
import { compileThoroughCheck } from './compile.ts';
import { isCertainlyCheap } from './cost.ts';
import { isObject, type JsonObject } from './json.ts';
import { SchemaPaused, SchemaTaskFailed, type SchemaPool } from './schema-pool.ts';

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

/** Checks schemas of versions, and values against them: cheap schemas on the main thread, others in workers with a deadline. */
export class BoundedSchemaValidator implements SchemaValidator {
  readonly #workers: SchemaPool;
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  readonly #checks = new LRUCache<string, ValueCheck>({ max: MAX_CHECKS });

  constructor(deps: { workers: SchemaPool; logger: Logger; metrics: Metrics }) {
    this.#workers = deps.workers;
    this.#logger = deps.logger;
    this.#metrics = deps.metrics;
  }

  async faultsOf(schema: unknown): Promise<readonly SchemaFinding[]> {
    if (!isObject(schema)) return [{ pointer: '', message: 'must be a JSON Schema, written as an object.' }];
    const bound = brokenBound(schema);
    if (bound !== undefined) return [{ pointer: '', message: bound }];
    if (isCertainlyCheap(schema)) return schemaFaults(schema);
    const text = JSON.stringify(schema);
    try {
      return await this.#workers.run({ key: keyOf(text), schema: text });
    } catch (error) {
      if (!(error instanceof SchemaTaskFailed || error instanceof SchemaPaused)) throw error;
      return [{ pointer: '', message: 'takes too long to compile or to apply; make it simpler.' }];
    }
  }

  checkFor(schema: JsonObject | null, tooCostly?: MarkTooCostly): ValueCheck {
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

  #checkElsewhere(key: string, schema: string, tooCostly: MarkTooCostly | undefined): ValueCheck {
    return async (value) => {
      try {
        return await this.#workers.run({ key, schema, value: JSON.stringify(value ?? null) });
      } catch (error) {
        if (error instanceof SchemaPaused) {
          await this.#mark(key, error.until, tooCostly);
          throw paused(error);
        }
        if (!(error instanceof SchemaTaskFailed)) throw error;
        this.#metrics.counter(TOO_COSTLY_METRIC.name).inc();
        this.#logger.warn({ schema: key }, 'Checking a value against a schema ran past its deadline.');
        await this.#mark(key, this.#workers.pauseOf(key), tooCostly);
        throw SchemaTooCostly(
          'Checking the value against the schema of this version took too long and was stopped.',
          { cause: error },
        );
      }
    };
  }

  async #mark(key: string, pausedUntil: number | undefined, mark: MarkTooCostly | undefined): Promise<void> {
    try {
      await mark?.(pausedUntil);
    } catch (error) {
      this.#logger.warn(
        { err: error, schema: key },
        'The mark of a schema that is too costly could not be stored.',
      );
    }
  }
}

function paused({ until, waitMs }: SchemaPaused): Error {
  const end = isoTime(until);
  return SchemaTooCostly(
    `Checks against the schema of this version took too long several times in a row and are paused until ${end}.`,
    { headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) } },
  );
}
