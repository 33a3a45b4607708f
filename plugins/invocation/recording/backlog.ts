import { withDeadline, type Logger } from '../../../core/index.ts';
import { idsOf, type CallRow } from './call-row.ts';
import type { HeldRecords } from './held-records.ts';
import type { Spool } from './spool.ts';
import { isAway, type StoreWatch } from './store-watch.ts';

/** Until what the disk, not the store, was in the way of is tried again. */
const RETRY_MS = 2_000;
/** At a stop, for each of two replays: what is on the disk can wait for the next start. */
const FINISH_MS = 1_500;

export interface BacklogOptions {
  readonly spool: Spool;
  readonly held: HeldRecords;
  /** Stores a batch. Throws `StoreUnavailable` when the store is away. */
  readonly store: (calls: readonly CallRow[]) => Promise<void>;
  readonly watch: StoreWatch;
  readonly logger: Logger;
}

/** Batches that the database did not take: on the disk, or in memory where that takes them no more than the database. */
export class Backlog {
  readonly #options: BacklogOptions;
  /** What is left to do with files that hold nothing to store any more. */
  readonly #settled = new Map<string, 'remove' | 'refuse'>();
  #spooled = 0;
  #added = 0;
  #fault: string | undefined;
  #replaying: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(options: BacklogOptions) {
    this.#options = options;
  }

  /** Batches on the disk. */
  get spooled(): number {
    return this.#spooled;
  }

  /** Records in memory. */
  get held(): number {
    return this.#options.held.count;
  }

  /** What the disk answered when batches on it were last looked for, if that failed. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Whether there is something to store that only waits for the store. */
  get isDue(): boolean {
    return (this.#spooled > 0 && this.#fault === undefined) || !this.#options.held.isEmpty;
  }

  /** Sets a batch aside; never throws. */
  async add(calls: readonly CallRow[]): Promise<void> {
    const { spool, held, logger } = this.#options;
    const ids = idsOf(calls);
    try {
      await spool.add(calls);
      this.#count();
      logger.warn(
        { call_ids: ids },
        'The database did not take records; they are set aside and stored later.',
      );
    } catch (error) {
      const says = held.add(calls)
        ? 'Neither the database nor the disk takes records; they are kept in memory and stored later.'
        : 'Records are lost: neither the database nor the disk took them, and memory has no room for more.';
      logger.error({ err: error, call_ids: ids }, says);
    }
    this.#retryLater();
  }

  /**
   * Stores what was set aside, here or before a restart. Throws when the store is away, and for no other reason: what the
   * disk is in the way of is tried again later.
   */
  replay(): Promise<void> {
    return (this.#replaying ??= this.#replayAll().finally(() => {
      this.#replaying = undefined;
    }));
  }

  /** Puts on the disk what memory holds, as far as the disk takes it. */
  async rescue(): Promise<void> {
    const { spool, held } = this.#options;
    try {
      for (const calls of held.batches) {
        await spool.add(calls);
        held.delete(calls);
        this.#count();
      }
    } catch {
      // The disk takes no more; what is left stays in memory.
    }
  }

  /** Resolves soon, after a last attempt to put away what memory holds. */
  async finish(): Promise<void> {
    const { held, logger } = this.#options;
    if (this.#replaying)
      await withDeadline(
        FINISH_MS,
        this.#replaying.catch(() => undefined),
        () => undefined,
      );
    await this.rescue();
    if (!held.isEmpty)
      await withDeadline(
        FINISH_MS,
        this.replay().catch(() => undefined),
        () => undefined,
      );
    this.#isOver = true;
    clearTimeout(this.#timer);
    const lost = held.batches.flatMap(idsOf);
    if (lost.length === 0) return;
    logger.error(
      { call_ids: lost },
      'Records are lost with the end of this process: neither the database nor the disk took them.',
    );
  }

  #count(): void {
    this.#spooled += 1;
    this.#added += 1;
  }

  async #replayAll(): Promise<void> {
    let fault: unknown;
    try {
      for (const calls of this.#options.held.batches) await this.#replayHeld(calls);
      fault = await this.#replayFiles();
    } catch (error) {
      if (isAway(error)) throw error;
      fault = error;
    }
    this.#notice(fault);
  }

  /** Looks again until there is nothing new: a batch may be set aside while those before it are stored. */
  async #replayFiles(): Promise<unknown> {
    const failed = new Map<string, unknown>();
    for (;;) {
      const added = this.#added;
      const names = await this.#options.spool.names();
      this.#spooled = names.length;
      const next = names.filter((name) => !failed.has(name));
      if (this.#isOver || (next.length === 0 && added === this.#added)) return [...failed.values()][0];
      for (const name of next) await this.#replaySpooled(name, failed);
    }
  }

  async #replayHeld(calls: readonly CallRow[]): Promise<void> {
    const { spool, held, store, logger } = this.#options;
    const ids = idsOf(calls);
    try {
      await store(calls);
      logger.info({ call_ids: ids }, 'Stored records that had been kept in memory.');
    } catch (error) {
      if (isAway(error) || this.#isOver) throw error;
      if (calls.length > 1) {
        for (const call of calls) await this.#replayHeld([call]);
        return held.delete(calls);
      }
      logger.error({ err: error, call_ids: ids }, 'Records that were kept in memory cannot be stored.');
      await spool
        .add(calls)
        .then((name) => spool.refuse(name))
        .catch(() => undefined);
    }
    held.delete(calls);
  }

  async #replaySpooled(name: string, failed: Map<string, unknown>): Promise<void> {
    try {
      const rest = this.#settled.get(name) ?? (await this.#settle(name));
      if (rest === 'part') return;
      this.#settled.set(name, rest);
      await this.#options.spool[rest](name);
      this.#settled.delete(name);
      this.#spooled -= 1;
    } catch (error) {
      if (isAway(error) || this.#isOver) throw error;
      failed.set(name, error);
    }
  }

  /**
   * Stores a batch, and tells what to do with its file then; one that the store refuses is parted, so that each of its
   * records is tried by itself. Throws when the store is away, or the disk does not work.
   */
  async #settle(name: string): Promise<'remove' | 'refuse' | 'part'> {
    const { spool, store, logger } = this.#options;
    let calls: readonly CallRow[] | undefined;
    try {
      calls = await spool.read(name);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      logger.error({ err: error, file: name }, 'Records that were set aside cannot be read.');
      return 'refuse';
    }
    try {
      if (calls) await store(calls);
    } catch (error) {
      // A database that was closed meanwhile says nothing about the records.
      if (isAway(error) || this.#isOver) throw error;
      if (calls && calls.length > 1) {
        await spool.part(calls);
        return 'part';
      }
      logger.error(
        { err: error, file: name, call_ids: idsOf(calls ?? []) },
        'Records that were set aside cannot be stored.',
      );
      return 'refuse';
    }
    logger.info({ file: name, calls: calls?.length }, 'Stored records that had been set aside.');
    return 'remove';
  }

  /** Says what is wrong with the disk when that changes. */
  #notice(fault: unknown): void {
    const { logger } = this.#options;
    const said = this.#fault;
    this.#fault = fault === undefined ? undefined : reasonOf(fault);
    if (this.#fault !== undefined) this.#retryLater();
    if (this.#fault === said || this.#isOver) return;
    if (this.#fault === undefined) logger.info({}, 'The spool of records can be read and emptied again.');
    else
      logger.error(
        { err: fault },
        'The spool of records cannot be read or emptied; it is tried again later.',
      );
  }

  #retryLater(): void {
    if (this.#isOver || this.#timer) return;
    this.#timer = setTimeout(() => void this.#retry(), RETRY_MS).unref();
  }

  /** A watch that knows the store to be away replays when it is back. */
  async #retry(): Promise<void> {
    const { held, watch } = this.#options;
    if (!watch.isAway) await this.replay().catch((error: unknown) => watch.lost(error));
    this.#timer = undefined;
    if (this.#spooled > 0 || !held.isEmpty || this.#fault !== undefined) this.#retryLater();
  }
}

/** Names no path: it is shown to whoever asks for the health of the service. */
function reasonOf(fault: unknown): string {
  const { code, name } = fault as NodeJS.ErrnoException;
  return code ?? name;
}
