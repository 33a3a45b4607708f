import { withDeadline, type Clock, type Logger } from '../../../core/index.ts';
import { isAway, reasonOf, storeAway, storeSilent } from './store-fault.ts';

/** A database that answered within the last second is not checked again. */
const FRESH_MS = 1000;
const PROBE_EVERY_MS = 500;

export interface StoreWatchOptions {
  /** Throws when the database does not answer. */
  readonly ask: () => Promise<void>;
  /** Writes to the database and stores the batches in the spool. Throws when the database does not take them. */
  readonly probe: () => Promise<void>;
  /** A database that does not answer within this time is away; milliseconds. */
  readonly limitMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** An outage: its reason, and a promise that resolves at its end. */
interface Outage {
  readonly since: number;
  readonly end: () => void;
  readonly ended: Promise<void>;
  reason: string;
}

/** Tracks whether the database takes records, so that no endpoint is called when the call could not be recorded. */
export class StoreWatch {
  readonly #options: StoreWatchOptions;
  #provenAt = -Infinity;
  #asking: Promise<void> | undefined;
  #outage: Outage | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: StoreWatchOptions) {
    this.#options = options;
  }

  get isAway(): boolean {
    return this.#outage !== undefined;
  }

  /** Why the database takes no records; `undefined` while it takes them. */
  get reason(): string | undefined {
    return this.#outage?.reason;
  }

  /** When the outage was noticed, on the monotonic clock. */
  get awaySince(): number | undefined {
    return this.#outage?.since;
  }

  /** Throws `StoreUnavailable` while the database is away. Checks it when it has not answered for a second. */
  demand(): void | Promise<void> {
    if (this.isAway) throw storeAway();
    if (this.#options.clock.elapsed() - this.#provenAt < FRESH_MS) return;
    return (this.#asking ??= this.#ask().finally(() => (this.#asking = undefined)));
  }

  /** Notes that a write succeeded. Only a probe, which also empties the spool, ends an outage. */
  proven(): void {
    this.#provenAt = this.#options.clock.elapsed();
  }

  /** Notes that a write failed because of the database. */
  lost(error: unknown): void {
    if (this.#outage) return;
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    this.#outage = { since: this.#options.clock.elapsed(), end, ended, reason: reasonOf(error) };
    this.#options.logger.error(
      { err: error },
      'The database takes no records; calls are refused until it does.',
    );
    this.#probeLater();
  }

  /** Waits for the end of the outage, for at most this many milliseconds. */
  async untilBack(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await withDeadline(milliseconds, this.#outage?.ended, () => undefined);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #ask(): Promise<void> {
    const { ask, limitMs } = this.#options;
    try {
      await withDeadline(limitMs, ask(), () => {
        throw storeSilent();
      });
    } catch (error) {
      this.lost(error);
      throw storeAway(error);
    }
    this.proven();
  }

  #probeLater(): void {
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#probe(), PROBE_EVERY_MS).unref();
  }

  async #probe(): Promise<void> {
    try {
      await this.#options.probe();
    } catch (error) {
      // The reason may have changed since the outage was noticed.
      if (isAway(error)) this.#outage!.reason = reasonOf(error);
      return this.#probeLater();
    }
    this.proven();
    this.#outage!.end();
    this.#outage = undefined;
    this.#options.logger.info({}, 'The database takes records again.');
  }
}
