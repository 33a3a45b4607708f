import type { BatchInsert, Logger } from '../../../core/index.ts';
import type { FinishedCall, RecordCompanion } from '../contract.ts';

/** The rows that companions add to records. */
export class CompanionRows {
  readonly #companions: readonly RecordCompanion[];
  readonly #logger: Logger;
  /** Whose rows may be left out where the database refuses a batch: each by itself, and then all together. */
  readonly omissions: readonly (readonly RecordCompanion[])[];

  constructor(companions: readonly RecordCompanion[], logger: Logger) {
    this.#companions = companions;
    this.#logger = logger;
    const optional = companions.filter(({ isRequired }) => isRequired !== true);
    const each = optional.map((companion) => [companion]);
    this.omissions = optional.length > 1 ? [...each, optional] : each;
  }

  rowsFor(finished: readonly FinishedCall[], without: readonly RecordCompanion[]): readonly BatchInsert[] {
    return this.#companions.flatMap((companion) =>
      without.includes(companion) ? [] : this.#rowsOf(companion, finished),
    );
  }

  /** A companion that fails costs its own rows, never the records. */
  #rowsOf(companion: RecordCompanion, finished: readonly FinishedCall[]): readonly BatchInsert[] {
    try {
      return companion.rowsFor(finished);
    } catch (error) {
      this.#logger.error({ err: error, companion: companion.name }, 'A companion of the records failed.');
      return [];
    }
  }
}
