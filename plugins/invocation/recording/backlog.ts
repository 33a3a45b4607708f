import { withDeadline, type Logger } from '../../../core/index.ts';
import { idsOf, type CallRow } from './call-row.ts';
import type { Spool } from './spool.ts';
import { isAway } from './store-fault.ts';

/** Milliseconds until a failed disk is tried again. */
const RETRY_MS = 2_000;
/** How long a stop waits for a replay, in milliseconds; the next start stores the rest of the spool. */
const FINISH_MS = 1_500;

export interface BacklogOptions {
  readonly spool: Spool;
  /** Stores a batch. Throws `StoreUnavailable` when the database is away. */
  readonly store: (calls: readonly CallRow[]) => Promise<void>;
  /** Called when a write finds the database away. */
  readonly lost: (error: unknown) => void;
  readonly logger: Logger;
}

/** Writes records to the spool, and stores them when the database takes records again. */
export class Backlog {
  readonly #options: BacklogOptions;
  #batches = 0;
  #fault: string | undefined;
  #replaying: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isFinished = false;

  constructor(options: BacklogOptions) {
    this.#options = options;
  }

  /** The number of batches in the spool. */
  get batches(): number {
    return this.#batches;
  }

  /** The error code of the disk when the spool could not be read or emptied. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Writes a batch to the spool. Never throws: when the disk fails as well, the log names the lost records. */
  async add(calls: readonly CallRow[]): Promise<void> {
    const { spool, logger } = this.#options;
    const ids = { call_ids: idsOf(calls) };
    try {
      await spool.add(calls);
      this.#batches += 1;
      logger.warn(ids, 'The database did not take records; they are in the spool and are stored later.');
    } catch (error) {
      logger.error({ err: error, ...ids }, 'Records are lost: neither the database nor the spool took them.');
    }
  }

  /** Keeps a record whose content the database refuses. Throws when the disk fails. */
  async refuse(call: CallRow, cause: unknown): Promise<void> {
    const { spool, logger } = this.#options;
    logger.error({ err: cause, call_ids: [call.id] }, 'The database refuses the record of a call.');
    await spool.refuse(call);
  }

  /** Stores the batches in the spool. Throws when the database is away; a failed disk is tried again later. */
  replay(): Promise<void> {
    return (this.#replaying ??= this.#replay().finally(() => (this.#replaying = undefined)));
  }

  /** Waits for a replay in progress, up to `FINISH_MS`. */
  async finish(): Promise<void> {
    this.#isFinished = true;
    clearTimeout(this.#timer);
    await withDeadline(FINISH_MS, this.#replaying, () => undefined).catch(() => undefined);
  }

  async #replay(): Promise<void> {
    try {
      // Batches may be added while others are stored.
      for (let names = await this.#names(); names.length > 0; names = await this.#names()) {
        for (const name of names) await this.#storeFile(name);
      }
    } catch (error) {
      if (isAway(error)) throw error;
      return this.#noteFault(error);
    }
    if (this.#fault !== undefined) this.#options.logger.info({}, 'The spool of records works again.');
    this.#fault = undefined;
  }

  async #names(): Promise<readonly string[]> {
    const names = await this.#options.spool.names();
    this.#batches = names.length;
    return names;
  }

  async #storeFile(name: string): Promise<void> {
    const { spool, logger } = this.#options;
    try {
      const calls = (await spool.read(name)) ?? [];
      await this.#store(calls);
      logger.info({ file: name, calls: calls.length }, 'Stored records from the spool.');
      await spool.remove(name);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      logger.error({ err: error, file: name }, 'A file in the spool of records cannot be read.');
      await spool.quarantine(name);
    }
  }

  /** Stores a batch. When it is refused, stores it record by record and keeps the refused records. */
  async #store(calls: readonly CallRow[]): Promise<void> {
    if (calls.length === 0) return;
    try {
      await this.#options.store(calls);
    } catch (error) {
      if (isAway(error)) throw error;
      if (calls.length === 1) return this.refuse(calls[0]!, error);
      for (const call of calls) await this.#store([call]);
    }
  }

  #noteFault(error: unknown): void {
    const { code, name } = error as NodeJS.ErrnoException;
    // The health check is public, so the fault must not contain a path.
    const fault = code ?? name;
    if (fault !== this.#fault)
      this.#options.logger.error({ err: error }, 'The spool of records fails; it is tried again.');
    this.#fault = fault;
    if (this.#isFinished) return;
    this.#timer = setTimeout(
      () => void this.replay().catch((failure: unknown) => this.#options.lost(failure)),
      RETRY_MS,
    ).unref();
  }
}
