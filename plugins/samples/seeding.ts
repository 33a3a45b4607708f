import { isoTime, token, UniqueViolation, type Clock, type Database, type Logger } from '../../core/index.ts';
import type { Catalogue } from '../catalogue/contract.ts';
import { samples } from './algorithms/index.ts';
import type { SamplesSettings } from './config.ts';
import type { About } from './describing/about.ts';
import { algorithmOf, versionOf } from './listing.ts';
import { SeedingRow } from './models.ts';

/** An instance that has not finished a sample after this long is taken for dead. */
const PATIENCE_MS = 60_000;

export interface SeedingDeps {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly settings: SamplesSettings;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Puts the samples into an empty catalogue, once: what an operator deletes does not come back. */
export class Seeding {
  readonly #deps: SeedingDeps;

  constructor(deps: SeedingDeps) {
    this.#deps = deps;
  }

  /** Does nothing when it was done before, or when the catalogue holds anything else. */
  async seed(): Promise<void> {
    if (!this.#deps.settings.seed) return;
    const claimed = await this.#claim();
    for (const about of samples.toReversed()) if (claimed.has(about.name)) await this.#create(about);
    if (claimed.size > 0)
      this.#deps.logger.info({ samples: claimed.size }, 'Put the samples into the catalogue.');
  }

  /** The names that fall to this instance; of several that start at once each name falls to one. */
  async #claim(): Promise<ReadonlySet<string>> {
    const rows = await SeedingRow.query(this.#deps.database.knex);
    if (rows.length > 0) return this.#takeOver(rows);
    return (await this.#deps.catalogue.count()) === 0 ? this.#claimAll() : new Set();
  }

  async #claimAll(): Promise<ReadonlySet<string>> {
    const claimed_at = isoTime(this.#deps.clock.now());
    try {
      await this.#deps.database.transaction(async (trx) => {
        for (const { name } of samples)
          await SeedingRow.query(trx).insert({ name, claimed_at, seeded_at: null });
      });
    } catch (error) {
      if (error instanceof UniqueViolation) return new Set();
      throw error;
    }
    return new Set(samples.map(({ name }) => name));
  }

  /** What an instance left unfinished when it died. */
  async #takeOver(rows: readonly SeedingRow[]): Promise<ReadonlySet<string>> {
    const now = this.#deps.clock.now();
    const [claimed_at, tooOld] = [isoTime(now), isoTime(now - PATIENCE_MS)];
    const abandoned = rows.filter((row) => row.seeded_at === null && row.claimed_at < tooOld);
    const claimed = new Set<string>();
    for (const row of abandoned) {
      const same = { name: row.name, claimed_at: row.claimed_at };
      const changed = await this.#deps.database.transaction(async (trx) =>
        SeedingRow.query(trx).patch({ claimed_at }).where(same),
      );
      if (changed === 1) claimed.add(row.name);
    }
    return claimed;
  }

  async #create(about: About): Promise<void> {
    const { catalogue, database, clock } = this.#deps;
    const { id } = await catalogue.create(algorithmOf(about));
    await catalogue.createVersion(id, versionOf(about));
    const seeded_at = isoTime(clock.now());
    await database.transaction(async (trx) =>
      SeedingRow.query(trx).patch({ seeded_at }).where({ name: about.name }),
    );
  }
}

export const SEEDING = token<Seeding>('samples:seeding');
