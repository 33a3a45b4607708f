import {
  UniqueViolation,
  withDeadline,
  type BatchInsert,
  type Clock,
  type Database,
  type Logger,
} from '../../../core/index.ts';
import type { FinishedCall, RecordHook } from '../contract.ts';
import { closing, openInsert } from '../journal/open-calls.ts';
import type { Backlog } from './backlog.ts';
import { callInsert, finishedOf, idsOf, type CallRow } from './call-row.ts';
import { isAway, isUnfit, recordPending, recordRefused, storeAway, storeSilent } from './store-fault.ts';
import type { StoreWatch } from './store-watch.ts';

/** The shortest time limit of an attempt, and the limit of a whole batch once the service stops; milliseconds. */
const SHORT_MS = 1_000;

export interface RecordWriterOptions {
  readonly database: Database;
  readonly hooks: readonly RecordHook[];
  readonly backlog: Backlog;
  readonly watch: StoreWatch;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The id of this instance for the journal; absent when calls are only written when they end. */
  readonly instance?: string | undefined;
  /** Called after the commit, once for each record. */
  readonly onStored: (calls: readonly CallRow[]) => void;
  /** How long a batch is tried, in milliseconds. */
  readonly limitMs: number;
}

interface Attempt {
  /** Whether an earlier attempt may have written the same records. */
  readonly isRepeated: boolean;
  /** Whether the calls may have rows of open calls. */
  readonly closes: boolean;
}

/** Writes batches of records. One durable transaction stores a batch with the rows of the record hooks. */
export class RecordWriter {
  readonly #options: RecordWriterOptions;
  readonly #stored;
  #limitMs: number;

  constructor(options: RecordWriterOptions) {
    this.#options = options;
    this.#limitMs = options.limitMs;
    this.#stored = options.database.read<{ id: string }>('SELECT id FROM invocation_calls WHERE id = ?');
  }

  /**
   * Resolves when the records are durable. While the database is away, a batch waits until the limit has passed since
   * the beginning of the outage; then it goes to the spool, and this throws `StoreUnavailable`. It also does when the
   * database refuses a single record. Rethrows the refusal of a batch of several records, none of which is stored then.
   */
  async write(calls: readonly CallRow[]): Promise<void> {
    const { backlog, watch, clock } = this.#options;
    const end = (watch.awaySince ?? clock.elapsed()) + this.#limitMs;
    let cause: unknown;
    for (let isRepeated = false; ; isRepeated = true) {
      if (watch.isAway) await watch.untilBack(end - clock.elapsed());
      if (watch.isAway) break;
      try {
        const attempt = this.#store(calls, { isRepeated, closes: this.#options.instance !== undefined });
        return await withDeadline(Math.max(end - clock.elapsed(), SHORT_MS), attempt, () => {
          throw storeSilent();
        });
      } catch (error) {
        if (!isAway(error)) return await this.#refuse(calls, error);
        cause = error;
        watch.lost(error);
        if (isUnfit(error)) break;
      }
    }
    await backlog.add(calls);
    // The outage may have ended while the batch was written to the spool.
    if (!watch.isAway) void backlog.replay().catch((error: unknown) => watch.lost(error));
    throw recordPending(cause);
  }

  /**
   * Stores calls in one transaction. A call that has a record already keeps it. Throws `StoreUnavailable` when the
   * database is away.
   */
  store(calls: readonly CallRow[]): Promise<void> {
    return this.#store(calls, { isRepeated: false, closes: true });
  }

  /** Resolves when open calls are durable. Throws `StoreUnavailable`; their endpoints must not be called then. */
  async begin(calls: readonly CallRow[]): Promise<void> {
    const { database, instance = '', watch } = this.#options;
    try {
      await withDeadline(this.#limitMs, database.write([openInsert(calls, instance)]), () => {
        throw storeSilent();
      });
    } catch (error) {
      if (isAway(error)) watch.lost(error);
      throw storeAway(error);
    }
    watch.proven();
  }

  /** Shortens a stop: from now on a batch that is not stored within a second goes to the spool. */
  hurry(): void {
    this.#limitMs = Math.min(this.#limitMs, SHORT_MS);
  }

  /** An attempt that timed out may still commit. It then reports its records, and the replay finds them stored. */
  async #store(calls: readonly CallRow[], attempt: Attempt): Promise<void> {
    const { database, watch, onStored } = this.#options;
    const finished = calls.map(finishedOf);
    const rows = this.#options.hooks.flatMap((hook) => this.#rowsOf(hook, finished));
    try {
      await database.write(
        [callInsert(calls), ...rows],
        attempt.closes ? [closing(database.engine, idsOf(calls))] : [],
      );
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      return this.#storeMissing(calls, attempt, error);
    }
    onStored(calls);
    watch.proven();
  }

  /** Some of the records exist, because a connection broke after its commit or another instance stored them. */
  async #storeMissing(calls: readonly CallRow[], attempt: Attempt, violation: unknown): Promise<void> {
    const { database, onStored } = this.#options;
    const known: CallRow[] = [];
    for (const call of calls) if (await this.#stored.first(call.id)) known.push(call);
    if (known.length === 0) throw violation;
    if (attempt.closes) await database.write([], [closing(database.engine, idsOf(known))]);
    const missing = calls.filter((call) => !known.includes(call));
    if (missing.length > 0) return this.#store(missing, attempt);
    // Only the instance that stored a record reports it.
    if (attempt.isRepeated) onStored(known);
  }

  async #refuse(calls: readonly CallRow[], error: unknown): Promise<never> {
    if (calls.length > 1) throw error;
    await this.#options.backlog.refuse(calls[0]!, error).catch(() => undefined);
    throw recordRefused(error);
  }

  /** A record hook that throws loses its own rows only. */
  #rowsOf(hook: RecordHook, finished: readonly FinishedCall[]): readonly BatchInsert[] {
    try {
      return hook.rowsFor(finished);
    } catch (error) {
      this.#options.logger.error({ err: error, hook: hook.name }, 'A record hook failed.');
      return [];
    }
  }
}
