import { setTimeout as pause } from 'node:timers/promises';
import {
  Problem,
  StoreUnavailable,
  UniqueViolation,
  type BatchInsert,
  type Database,
  type Logger,
} from '../../../core/index.ts';
import { callInsert, finishedOf, type CallRow } from '../call-row.ts';
import type { FinishedCall, RecordCompanion } from '../contract.ts';
import type { Spool } from './spool.ts';
import type { StoreWatch } from './store-watch.ts';

/** Between attempts; about 5 s in all, then a caller is told that the record comes later. */
const PAUSES_MS: readonly number[] = [100, 200, 400, 800, 1000, 1000, 1000];

export interface DurableWriterOptions {
  readonly database: Database;
  readonly companions: readonly RecordCompanion[];
  readonly spool: Spool;
  readonly watch: StoreWatch;
  readonly logger: Logger;
  /** Told after the commit, once for each record. */
  readonly onStored: (calls: readonly CallRow[]) => void;
  /** Between attempts. */
  readonly pausesMs?: readonly number[] | undefined;
}

/** Writes a batch of records with the rows of its companions in one durable transaction, or sets it aside. */
export class DurableWriter {
  readonly #options: DurableWriterOptions;
  readonly #stored;
  #spooled = 0;
  #replaying: Promise<void> | undefined;

  constructor(options: DurableWriterOptions) {
    this.#options = options;
    this.#stored = options.database.read<{ id: string }>('SELECT id FROM invocation_calls WHERE id = ?');
  }

  /** Batches that are set aside. */
  get spooled(): number {
    return this.#spooled;
  }

  /**
   * Resolves when the records are durable. A store that is away is tried again for about 5 s; then the records are set
   * aside on the disk, and this throws `StoreUnavailable`.
   */
  async write(calls: readonly CallRow[]): Promise<void> {
    const batch = this.#batchOf(calls);
    const { watch, pausesMs = PAUSES_MS } = this.#options;
    for (let attempt = 0; ; attempt += 1) {
      try {
        await this.#writeOnce(calls, batch);
        // This write may be the first to find the store back, before a probe does.
        if (this.#spooled > 0) void this.replay().catch((error: unknown) => watch.lost(error));
        return;
      } catch (error) {
        if (!isAway(error)) throw error;
        watch.lost(error);
        const wait = pausesMs[attempt];
        if (wait === undefined) throw await this.#setAside(calls, error);
        await pause(wait);
      }
    }
  }

  /** Stores what was set aside, here or before a restart. Throws when the store is away. */
  replay(): Promise<void> {
    return (this.#replaying ??= this.#replayAll().finally(() => {
      this.#replaying = undefined;
    }));
  }

  /** Resolves when nothing is being replayed. */
  async idle(): Promise<void> {
    await this.#replaying?.catch(() => undefined);
  }

  /** Looks again until there is nothing: a batch may be set aside while those before it are stored. */
  async #replayAll(): Promise<void> {
    const { spool } = this.#options;
    for (let names = await spool.names(); names.length > 0; names = await spool.names()) {
      this.#spooled = names.length;
      for (const name of names) await this.#replayOne(name);
    }
    this.#spooled = 0;
  }

  async #replayOne(name: string): Promise<void> {
    const { spool, logger } = this.#options;
    try {
      const calls = await spool.read(name);
      if (calls) await this.#writeOnce(calls, this.#batchOf(calls));
      await spool.remove(name);
      logger.info({ file: name, calls: calls?.length }, 'Stored records that had been set aside.');
    } catch (error) {
      if (isAway(error)) throw error;
      await spool.refuse(name);
      logger.error({ err: error, file: name }, 'Records that were set aside cannot be stored.');
    }
    this.#spooled -= 1;
  }

  #batchOf(calls: readonly CallRow[]): readonly BatchInsert[] {
    const finished = calls.map(finishedOf);
    return [
      callInsert(calls),
      ...this.#options.companions.flatMap((companion) => this.#rowsOf(companion, finished)),
    ];
  }

  /** A companion that fails costs its own rows, never the records. */
  #rowsOf(companion: RecordCompanion, finished: readonly FinishedCall[]): readonly BatchInsert[] {
    try {
      return companion.rowsFor(finished);
    } catch (error) {
      this.#options.logger.error(
        { err: error, companion: companion.name },
        'A companion of the records failed.',
      );
      return [];
    }
  }

  async #writeOnce(calls: readonly CallRow[], batch: readonly BatchInsert[]): Promise<void> {
    try {
      await this.#options.database.write(batch);
    } catch (error) {
      if (!(error instanceof UniqueViolation) || !(await this.#isStored(calls))) throw error;
    }
    this.#options.watch.proven();
    this.#options.onStored(calls);
  }

  /** A connection may break after the commit and before its answer; the batch is all there then, or not at all. */
  async #isStored(calls: readonly CallRow[]): Promise<boolean> {
    return (await this.#stored.first(calls[0]!.id)) !== undefined;
  }

  async #setAside(calls: readonly CallRow[], cause: unknown): Promise<Problem> {
    const { spool, watch, logger } = this.#options;
    const ids = calls.map(({ id }) => id);
    try {
      await spool.add(calls);
      this.#spooled += 1;
      // A probe may have found the store back meanwhile; another one is to store this.
      watch.lost(cause);
      logger.warn(
        { call_ids: ids },
        'The database did not take records; they are set aside and stored later.',
      );
    } catch (error) {
      logger.error(
        { err: error, call_ids: ids },
        'Records are lost: neither the database nor the disk took them.',
      );
    }
    return StoreUnavailable(
      'The endpoint was asked, but the record of the call is not stored yet. Look for the call before repeating it.',
      { headers: { 'Retry-After': '5' }, cause },
    );
  }
}

/** Whether an error says that the store, not the data, is at fault. */
export function isAway(error: unknown): boolean {
  return error instanceof Problem && error.code === StoreUnavailable.code;
}
