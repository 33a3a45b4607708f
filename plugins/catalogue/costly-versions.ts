import { isoTime, Problem, type Clock, type Database, type Logger } from '../../core/index.ts';
import type { CatalogueChanges } from './changes.ts';
import { SchemaTooCostly, type AlgorithmVersion, type SchemaFinding, type ValueCheck } from './contract.ts';
import { VersionRow } from './models.ts';

export interface CostlyVersionsDeps {
  readonly database: Database;
  readonly changes: CatalogueChanges;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Marks versions of which a schema took too long to check, for whoever manages them to see. */
export class CostlyVersions {
  readonly #deps: CostlyVersionsDeps;
  readonly #marking = new Map<string, Promise<void>>();

  constructor(deps: CostlyVersionsDeps) {
    this.#deps = deps;
  }

  /** The same check, but it marks the version before it throws `SchemaTooCostly`. */
  watched(check: ValueCheck, version: AlgorithmVersion): ValueCheck {
    if (version.schema_too_costly_since !== null) return check;
    const failed = async (error: unknown): Promise<readonly SchemaFinding[]> => {
      if (error instanceof Problem && error.code === SchemaTooCostly.code) await this.#marked(version);
      throw error;
    };
    return (value) => {
      const findings = check(value);
      return findings instanceof Promise ? findings.catch(failed) : findings;
    };
  }

  /** Many calls may find it out at once; one marks it for all. */
  #marked(version: AlgorithmVersion): Promise<void> {
    const under = this.#marking.get(version.id);
    if (under) return under;
    const marked = this.#mark(version).finally(() => this.#marking.delete(version.id));
    this.#marking.set(version.id, marked);
    return marked;
  }

  /** A version that was changed meanwhile has other schemas, perhaps. */
  async #mark({ id, algorithm_id, updated_at }: AlgorithmVersion): Promise<void> {
    const { database, changes, clock, logger } = this.#deps;
    try {
      await database.transaction(async (trx) => {
        const marked = await VersionRow.query(trx)
          .where({ id, updated_at, schema_too_costly_since: null })
          .patch({ schema_too_costly_since: isoTime(clock.now()) });
        if (marked > 0) changes.publish(trx, algorithm_id);
      });
    } catch (error) {
      logger.warn(
        { err: error, version: id },
        'A version with a schema that is too costly could not be marked.',
      );
    }
  }
}
