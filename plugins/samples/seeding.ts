import {
  isoTime,
  token,
  UniqueViolation,
  type Author,
  type Clock,
  type Database,
  type Logger,
} from '../../core/index.ts';
import {
  AlgorithmNotFound,
  VersionLabelTaken,
  VersionNotFound,
  type Catalogue,
} from '../catalogue/contract.ts';
import { samples } from './algorithms/index.ts';
import { assetsOf } from './assets.ts';
import type { SamplesSettings } from './config.ts';
import type { About } from './describing/about.ts';
import { algorithmOf, examplesOf, versionOf } from './listing.ts';
import { SeedingRow } from './models.ts';

/** Names of samples, and what is in the catalogue of them already. */
type Claims = ReadonlyMap<string, string | null>;

const SAMPLES: Author = { kind: 'plugin', name: 'samples' };

/** An instance that has not finished a sample after this long is taken for dead. */
const ABANDONED_AFTER_MS = 60_000;

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
    for (const about of samples.toReversed()) {
      const algorithmId = claimed.get(about.name);
      if (algorithmId === undefined) continue;
      await this.#addVersion(algorithmId ?? (await this.#create(about)), about);
    }
    if (claimed.size > 0)
      this.#deps.logger.info({ samples: claimed.size }, 'Put the samples into the catalogue.');
  }

  /** The names that fall to this instance; of several that start at once each name falls to one. */
  async #claim(): Promise<Claims> {
    const rows = await SeedingRow.query(this.#deps.database.knex);
    if (rows.length > 0) return this.#takeOver(rows);
    return (await this.#deps.catalogue.count()) === 0 ? this.#claimAll() : new Map();
  }

  async #claimAll(): Promise<Claims> {
    const claimed_at = isoTime(this.#deps.clock.now());
    try {
      await this.#deps.database.transaction(async (trx) => {
        for (const { name } of samples)
          await SeedingRow.query(trx).insert({ name, claimed_at, seeded_at: null, algorithm_id: null });
      });
    } catch (error) {
      if (error instanceof UniqueViolation) return new Map();
      throw error;
    }
    return new Map(samples.map(({ name }) => [name, null]));
  }

  /** What an instance left unfinished when it died. */
  async #takeOver(rows: readonly SeedingRow[]): Promise<Claims> {
    const now = this.#deps.clock.now();
    const [claimed_at, tooOld] = [isoTime(now), isoTime(now - ABANDONED_AFTER_MS)];
    const abandoned = rows.filter((row) => row.seeded_at === null && row.claimed_at < tooOld);
    const claimed = new Map<string, string | null>();
    for (const row of abandoned) {
      const same = { name: row.name, claimed_at: row.claimed_at };
      const changed = await this.#deps.database.transaction(async (trx) =>
        SeedingRow.query(trx).patch({ claimed_at }).where(same),
      );
      if (changed === 1) claimed.set(row.name, row.algorithm_id);
    }
    return claimed;
  }

  /** Noted at once, so that an instance that takes over adds the version and not another algorithm. */
  async #create(about: About): Promise<string> {
    const { id } = await this.#deps.catalogue.create(algorithmOf(about, await assetsOf(about.name)), SAMPLES);
    await this.#note(about, { algorithm_id: id });
    return id;
  }

  /** The version may be there, or the algorithm be deleted, where somebody else began. */
  async #addVersion(algorithmId: string, about: About): Promise<void> {
    const { catalogue, clock } = this.#deps;
    try {
      const { id } = await catalogue.createVersion(algorithmId, versionOf(about), SAMPLES);
      for (const example of examplesOf(about, await assetsOf(about.name)))
        await catalogue.createExample(algorithmId, id, example, SAMPLES);
    } catch (error) {
      if (![VersionLabelTaken, AlgorithmNotFound, VersionNotFound].some((type) => type.is(error)))
        throw error;
    }
    await this.#note(about, { seeded_at: isoTime(clock.now()) });
  }

  async #note({ name }: About, what: Partial<Pick<SeedingRow, 'algorithm_id' | 'seeded_at'>>): Promise<void> {
    await this.#deps.database.transaction(async (trx) => SeedingRow.query(trx).patch(what).where({ name }));
  }
}

export const SEEDING = token<Seeding>('samples:seeding');
