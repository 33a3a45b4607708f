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
import { isAway, isUnfit, recordPending, storeAway, storeSilent } from './store-fault.ts';
import type { StoreWatch } from './store-watch.ts';

/** What an attempt has at least, and what a batch has in all once the service stops. */
const SHORT_MS = 1_000;

export interface RecordWriterOptions {
  readonly database: Database;
  readonly hooks: readonly RecordHook[];
  readonly backlog: Backlog;
  readonly watch: StoreWatch;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The id under which calls are written before they end; absent when they are only written at their end. */
  readonly instance?: string | undefined;
  /** Told after the commit, once for each record. */
  readonly onStored: (calls: readonly CallRow[]) => void;
  /** How long a batch is tried. */
  readonly limitMs: number;
}

interface Attempt {
  /** Whether an earlier attempt may have written the same records. */
  readonly isRepeated: boolean;
  /** Whether the calls may have been written when they began. */
  readonly closes: boolean;
}

/** Writes batches of records, each with the rows of the record hooks in one durable transaction. */
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
   * Resolves when the records are durable. While the database is away a batch waits for it, at most until the limit has
   * passed since the beginning of the outage; then it goes to the spool, and this throws `StoreUnavailable`. So does a
   * record that the database refuses by itself. Throws the refusal when the batch has several records: none is written.
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
    // The outage may have ended before the batch was in the spool.
    if (!watch.isAway) void backlog.replay().catch((error: unknown) => watch.lost(error));
    throw recordPending(cause);
  }

  /**
   * Stores calls in one transaction, each of them once: a call that has a record keeps it. Throws `StoreUnavailable` when
   * the database is away.
   */
  store(calls: readonly CallRow[]): Promise<void> {
    return this.#store(calls, { isRepeated: false, closes: true });
  }

  /** Resolves when it is durable that the calls begin. Throws `StoreUnavailable`: their endpoints must not be asked. */
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

  /** Keeps a stop short: from now on a batch that the database does not take within a second goes to the spool. */
  hurry(): void {
    this.#limitMs = Math.min(this.#limitMs, SHORT_MS);
  }

  /** An attempt that took too long may still commit; its records are told then, and found when the spool is stored. */
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

  /** Some of the records exist: a connection broke after its commit, or another instance stored them. */
  async #storeMissing(calls: readonly CallRow[], attempt: Attempt, violation: unknown): Promise<void> {
    const { database, onStored } = this.#options;
    const known: CallRow[] = [];
    for (const call of calls) if (await this.#stored.first(call.id)) known.push(call);
    if (known.length === 0) throw violation;
    if (attempt.closes) await database.write([], [closing(database.engine, idsOf(known))]);
    const missing = calls.filter((call) => !known.includes(call));
    if (missing.length > 0) return this.#store(missing, attempt);
    // An instance tells of the records that it stored itself.
    if (attempt.isRepeated) onStored(known);
  }

  async #refuse(calls: readonly CallRow[], error: unknown): Promise<never> {
    if (calls.length > 1) throw error;
    await this.#options.backlog.refuse(calls[0]!, error).catch(() => undefined);
    throw recordPending(error);
  }

  /** A record hook that throws loses its own rows and not the records. */
  #rowsOf(hook: RecordHook, finished: readonly FinishedCall[]): readonly BatchInsert[] {
    try {
      return hook.rowsFor(finished);
    } catch (error) {
      this.#options.logger.error({ err: error, hook: hook.name }, 'A record hook failed.');
      return [];
    }
  }
}
