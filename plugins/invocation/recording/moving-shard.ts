import type { Database, Logger, PreparedRead, WorkerPlace } from '../../../core/index.ts';
import { ALL } from '../rollups/call-totals.ts';
import type { CountingShard } from '../contract.ts';

/** Instances on one PostgreSQL count in different rows for the most part; SQLite has one writer and needs one row. */
const LANES = 4;
/** More would have statistics add up ever more rows where a snapshot is held for days. */
const MOVES = 4096;
const LOOK_MS = 1000;
/** A row whose former versions are cleared takes a handful; each further page has some twenty versions. */
const MANY_PAGES = 16;

/** How many pages PostgreSQL looks at for rows that every batch changes. */
const PAGES = `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, FORMAT JSON)
  SELECT calls FROM invocation_algorithm_totals
  WHERE algorithm_id = '${ALL}' AND day = '${ALL}' AND status IN ('success', 'failed') AND shard = CAST(? AS integer)`;

interface Explained {
  readonly 'QUERY PLAN': readonly [
    { readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number } },
  ];
}

export interface MovingShardDeps {
  readonly database: Database;
  readonly worker: Pick<WorkerPlace, 'lane'>;
  readonly logger: Logger;
}

/**
 * The shard of this process. On PostgreSQL it moves on to fresh rows when the former versions of these pile up, which they do
 * for as long as anybody holds a snapshot, a dump for one: each batch would walk over all of them. It comes back afterwards.
 */
export class MovingShard implements CountingShard {
  readonly #lane: number;
  readonly #pages: PreparedRead<Explained> | undefined;
  readonly #logger: Logger;
  #moves = 0;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor({ database, worker, logger }: MovingShardDeps) {
    const isShared = database.engine === 'postgres';
    this.#lane = isShared ? worker.lane % LANES : 0;
    this.#pages = isShared ? database.read(PAGES) : undefined;
    this.#logger = logger;
  }

  get current(): number {
    return this.#at(this.#moves);
  }

  start(): void {
    if (this.#pages) this.#timer = setInterval(() => void this.look(), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Moves on, or back, where that is due; one look at a time. A database that does not answer changes nothing. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #look(): Promise<void> {
    try {
      if (await this.#isLong(this.#moves)) this.#moves = (this.#moves + 1) % MOVES;
      else if (this.#moves > 0 && !(await this.#isLong(0))) this.#moves = 0;
    } catch (error) {
      this.#logger.debug({ err: error }, 'The rows that calls are counted in could not be looked at.');
    }
  }

  #at(moves: number): number {
    return this.#lane + LANES * moves;
  }

  async #isLong(moves: number): Promise<boolean> {
    const row = await this.#pages?.first(this.#at(moves));
    if (!row) return false;
    const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = row['QUERY PLAN'][0].Plan;
    return hit + read > MANY_PAGES;
  }
}
