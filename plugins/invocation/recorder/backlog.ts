import type { Logger } from '../../../core/index.ts';
import type { CallRow } from '../call-row.ts';
import type { HeldRecords } from './held-records.ts';
import type { Spool } from './spool.ts';
import { isAway } from './store-watch.ts';

export interface BacklogOptions {
  readonly spool: Spool;
  readonly held: HeldRecords;
  /** Stores a batch. Throws `StoreUnavailable` when the store is away. */
  readonly store: (calls: readonly CallRow[]) => Promise<void>;
  readonly logger: Logger;
}

/** Batches that the database did not take: on the disk, or in memory where that takes them no more than the database. */
export class Backlog {
  readonly #options: BacklogOptions;
  #spooled = 0;
  #replaying: Promise<void> | undefined;

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

  get isEmpty(): boolean {
    return this.#spooled === 0 && this.#options.held.isEmpty;
  }

  /** Sets a batch aside; never throws. */
  async add(calls: readonly CallRow[]): Promise<void> {
    const { spool, held, logger } = this.#options;
    const ids = idsOf(calls);
    try {
      await spool.add(calls);
      this.#spooled += 1;
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
  }

  /** Stores what was set aside, here or before a restart. Throws when the store is away. */
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
        this.#spooled += 1;
      }
    } catch {
      // The disk takes no more; what is left stays in memory.
    }
  }

  /** Resolves when nothing is being replayed, and a last attempt was made to put away what memory holds. */
  async finish(): Promise<void> {
    const { held, logger } = this.#options;
    await this.#replaying?.catch(() => undefined);
    await this.rescue();
    if (!held.isEmpty) await this.replay().catch(() => undefined);
    const lost = held.batches.flatMap(idsOf);
    if (lost.length === 0) return;
    logger.error(
      { call_ids: lost },
      'Records are lost with the end of this process: neither the database nor the disk took them.',
    );
  }

  /** Looks again until there is nothing: a batch may be set aside while those before it are stored. */
  async #replayAll(): Promise<void> {
    const { spool, held } = this.#options;
    for (const calls of held.batches) await this.#replayHeld(calls);
    for (let names = await spool.names(); names.length > 0; names = await spool.names()) {
      this.#spooled = names.length;
      for (const name of names) await this.#replaySpooled(name);
    }
    this.#spooled = 0;
  }

  async #replayHeld(calls: readonly CallRow[]): Promise<void> {
    const { spool, held, store, logger } = this.#options;
    const ids = idsOf(calls);
    try {
      await store(calls);
      logger.info({ call_ids: ids }, 'Stored records that had been kept in memory.');
    } catch (error) {
      if (isAway(error)) throw error;
      logger.error({ err: error, call_ids: ids }, 'Records that were kept in memory cannot be stored.');
      await spool.add(calls).then(
        (name) => spool.refuse(name),
        () => undefined,
      );
    }
    held.delete(calls);
  }

  async #replaySpooled(name: string): Promise<void> {
    const { spool, store, logger } = this.#options;
    try {
      const calls = await spool.read(name);
      if (calls) await store(calls);
      await spool.remove(name);
      logger.info({ file: name, calls: calls?.length }, 'Stored records that had been set aside.');
    } catch (error) {
      if (isAway(error)) throw error;
      await spool.refuse(name);
      logger.error({ err: error, file: name }, 'Records that were set aside cannot be stored.');
    }
    this.#spooled -= 1;
  }
}

function idsOf(calls: readonly CallRow[]): readonly string[] {
  return calls.map(({ id }) => id);
}
