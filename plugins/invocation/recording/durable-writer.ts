import { setTimeout as pause } from 'node:timers/promises';
import {
  type Problem,
  StoreUnavailable,
  UniqueViolation,
  type BatchChange,
  type BatchInsert,
  type Clock,
  type Database,
  type Logger,
} from '../../../core/index.ts';
import { callInsert, finishedOf, idsOf, type CallRow } from './call-row.ts';
import type { RecordCompanion } from '../contract.ts';
import { closing, openInsert } from '../journal/open-calls.ts';
import type { Backlog } from './backlog.ts';
import { CompanionRows } from './companion-rows.ts';
import { Patience } from './patience.ts';
import {
  isAway,
  isUnanswered,
  isUnfit,
  PATIENCE_MS,
  storeAway,
  storeSilent,
  type StoreWatch,
} from './store-watch.ts';

/** Between attempts; beyond about 5 s a caller is told that the record comes later. */
const PAUSES_MS: readonly number[] = [100, 200, 400, 800, 1000, 1000, 1000];
/** What an attempt has at least, and at a stop at most. */
const LAST_ATTEMPT_MS = 1_000;

export interface DurableWriterOptions {
  readonly database: Database;
  readonly companions: readonly RecordCompanion[];
  readonly backlog: Backlog;
  readonly watch: StoreWatch;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Under which the calls of this process are written before they end; absent when they are written at the end alone. */
  readonly instance?: string | undefined;
  /** Told after the commit, once for each record. */
  readonly onStored: (calls: readonly CallRow[]) => void;
  /** Between attempts. */
  readonly pausesMs?: readonly number[] | undefined;
  /** How long a batch waits for a store that is away, counted from when that was found. */
  readonly patienceMs?: number | undefined;
}

/** What one transaction writes. */
interface Batch {
  readonly inserts: readonly BatchInsert[];
  readonly changes?: readonly BatchChange[];
}

/** One try to write a batch. One that is abandoned may still commit: its records are stored once, whoever comes first. */
interface Attempt {
  isAbandoned: boolean;
  /** Whether one before it may have written the same. */
  readonly isAgain: boolean;
}

/** Writes a batch of records with the rows of its companions in one durable transaction, or sets it aside. */
export class DurableWriter {
  readonly #options: DurableWriterOptions;
  readonly #stored;
  readonly #begun;
  readonly #companions: CompanionRows;
  readonly #patience: Patience;
  readonly #stopping = new AbortController();
  /** Attempts that were given up and that the store may still carry out. */
  #unanswered = 0;

  constructor(options: DurableWriterOptions) {
    this.#options = options;
    this.#patience = new Patience(options.clock);
    this.#companions = new CompanionRows(options.companions, options.logger);
    this.#stored = options.database.read<{ id: string }>('SELECT id FROM invocation_calls WHERE id = ?');
    this.#begun = options.database.read<{ id: string }>('SELECT id FROM invocation_open_calls WHERE id = ?');
  }

  /**
   * Resolves when the records are durable. A store that is away is tried again for about 5 s; then the records are set
   * aside, and this throws `StoreUnavailable`; so does a record that the store refuses by itself. Anything else is thrown
   * where one of several records is at fault: nothing of the batch was written then. One batch at a time, and none behind
   * one that the store does not answer: were each given its time, large records would wait for as long as there are many.
   */
  async write(calls: readonly CallRow[]): Promise<void> {
    const { backlog, watch, clock, pausesMs = PAUSES_MS } = this.#options;
    if (this.#unanswered > 0 && watch.isAway) throw await this.#setAside(calls, storeSilent());
    const batch = this.#options.instance === undefined ? this.#batchOf(calls) : this.#journaled(calls);
    const begun = clock.elapsed();
    const end = this.#endOf(begun);
    for (let attempt = 0; ; attempt += 1) {
      try {
        await this.#writeWithin(Math.max(end, begun + LAST_ATTEMPT_MS), calls, batch, attempt > 0);
        // This write may be the first to find the store back, before a probe does.
        if (backlog.isDue) void backlog.replay().catch((error: unknown) => watch.lost(error));
        return;
      } catch (error) {
        if (!isAway(error) && calls.length > 1) throw error;
        if (!isAway(error)) throw await this.#setAside(calls, error);
        watch.lost(error);
        const wait = pausesMs[attempt];
        // What must be mended first is not back in a moment, and probes try what was set aside.
        const isLate = isUnfit(error) || wait === undefined || clock.elapsed() + wait >= end;
        if (!isLate) await pause(wait, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
        if (isLate || this.#stopping.signal.aborted) throw await this.#setAside(calls, error);
      }
    }
  }

  /** For a stop: nothing waits long for the store any more, be it away or slow. */
  hurry(): void {
    this.#stopping.abort();
    this.#patience.hurry(this.#options.clock.elapsed() + LAST_ATTEMPT_MS);
  }

  /** For when the last batch was written. */
  stop(): void {
    this.#patience.stop();
  }

  /**
   * Stores calls that ended some time ago, or that a dead process had begun, in one transaction; those that have a record
   * already are only taken from the calls that have not ended. Throws when the store is away.
   */
  async store(calls: readonly CallRow[]): Promise<void> {
    await this.#writeOnce(calls, this.#journaled(calls));
  }

  /** Until when a batch is tried that begins now: those that come late in an outage share the patience of the first. */
  #endOf(now: number): number {
    const { watch, patienceMs = PATIENCE_MS } = this.#options;
    return this.#stopping.signal.aborted ? now : (watch.awaySince ?? now) + patienceMs;
  }

  #batchOf(calls: readonly CallRow[], without: readonly RecordCompanion[] = []): Batch {
    return { inserts: [callInsert(calls), ...this.#companions.rowsFor(calls.map(finishedOf), without)] };
  }

  /** The same where some calls only begin, and those that end may have been written when they began. */
  #journaled(calls: readonly CallRow[], without: readonly RecordCompanion[] = []): Batch {
    const { database, instance = '' } = this.#options;
    const ended = calls.filter(hasEnded);
    if (ended.length === 0) return { inserts: [openInsert(calls, instance)] };
    const { inserts } = this.#batchOf(ended, without);
    const begun = calls.filter((call) => !hasEnded(call));
    return {
      inserts: begun.length === 0 ? inserts : [...inserts, openInsert(begun, instance)],
      changes: [closing(database.engine, idsOf(ended))],
    };
  }

  async #writeWithin(end: number, calls: readonly CallRow[], batch: Batch, isAgain: boolean): Promise<void> {
    const attempt: Attempt = { isAbandoned: false, isAgain };
    const written = this.#writeOnce(calls, batch, attempt);
    await this.#patience.within(end, written, () => {
      attempt.isAbandoned = true;
    });
    if (!attempt.isAbandoned) return;
    this.#unanswered += 1;
    const answered = (): void => void (this.#unanswered -= 1);
    void written.then(answered, answered);
    throw storeSilent();
  }

  async #writeOnce(
    calls: readonly CallRow[],
    batch: Batch,
    attempt?: Attempt,
    omissions = this.#companions.omissions,
  ): Promise<void> {
    try {
      await this.#options.database.write(batch.inserts, batch.changes);
    } catch (error) {
      if (isUnanswered(error) || attempt?.isAbandoned) throw error;
      const missing = error instanceof UniqueViolation ? await this.#missing(calls) : calls;
      if (missing.length === calls.length) return this.#writeLess(calls, error, attempt, omissions);
      await this.#close(calls.filter((call) => !missing.includes(call)));
      // The others have a record, of calls that this process was taken to have left behind: that one stands.
      if (missing.length > 0) return this.#writeOnce(missing, this.#journaled(missing), attempt);
      // Another process has told of them that met them in the same backlog, or among the same calls that were left behind.
      if (attempt?.isAgain !== true) return this.#options.watch.proven();
    }
    const ended = calls.every(hasEnded) ? calls : calls.filter(hasEnded);
    if (ended.length > 0) this.#options.onStored(ended);
    if (attempt?.isAbandoned) return this.#takeBack(calls);
    this.#options.watch.proven();
  }

  /** Tries what the store refused without the rows of companions. Throws the refusal where that does not help. */
  async #writeLess(
    calls: readonly CallRow[],
    refusal: unknown,
    attempt: Attempt | undefined,
    omissions: readonly (readonly RecordCompanion[])[],
  ): Promise<void> {
    // Of several records one may be at fault, for which the others would lose their rows.
    if (calls.length > 1 && !isUnfit(refusal)) throw refusal;
    for (const without of omissions) {
      try {
        await this.#writeOnce(calls, this.#journaled(calls, without), attempt, []);
      } catch (error) {
        if (isUnanswered(error)) throw error;
        continue;
      }
      this.#options.logger.error(
        { err: refusal, companions: without.map(({ name }) => name), call_ids: idsOf(calls) },
        'The database refuses rows of companions; the records are stored without them.',
      );
      return;
    }
    throw refusal;
  }

  /** What a commit that came too late wrote of calls that were refused meanwhile. */
  async #takeBack(calls: readonly CallRow[]): Promise<void> {
    const { database, logger } = this.#options;
    const begun = calls.filter((call) => !hasEnded(call));
    if (begun.length === 0) return;
    try {
      await database.write([], [closing(database.engine, idsOf(begun))]);
    } catch (error) {
      logger.warn(
        { err: error, call_ids: idsOf(begun) },
        'Calls were refused that the database has as begun; they will be recorded as interrupted.',
      );
    }
  }

  /** A connection may break after the commit and before its answer. The records that are not there after all. */
  async #missing(calls: readonly CallRow[]): Promise<readonly CallRow[]> {
    const missing: CallRow[] = [];
    for (const call of calls) {
      const known = hasEnded(call) ? this.#stored : this.#begun;
      if ((await known.first(call.id)) === undefined) missing.push(call);
    }
    return missing;
  }

  async #close(calls: readonly CallRow[]): Promise<void> {
    const { database } = this.#options;
    const ended = calls.filter(hasEnded);
    if (ended.length > 0) await database.write([], [closing(database.engine, idsOf(ended))]);
  }

  async #setAside(all: readonly CallRow[], cause: unknown): Promise<Problem> {
    const { backlog, watch, logger } = this.#options;
    if (!isAway(cause))
      logger.error({ err: cause, call_ids: idsOf(all) }, 'The database refuses the record of a call.');
    // A call that was about to begin does not.
    const calls = all.filter(hasEnded);
    if (calls.length === 0) return storeAway(cause);
    await backlog.add(calls);
    // A probe may have found the store back meanwhile; another one is to store this.
    if (isAway(cause)) watch.lost(cause);
    return StoreUnavailable(
      'The endpoint was asked, but the record of the call is not stored yet. Look for the call before repeating it.',
      { headers: { 'Retry-After': '5' }, cause },
    );
  }
}

function hasEnded({ status }: CallRow): boolean {
  return status !== 'running';
}
