import { Problem, StoreUnavailable, type Clock, type Logger } from '../../../core/index.ts';

/** A sign of life this old or younger needs no question. */
const TRUSTED_MS = 1000;
const PROBE_EVERY_MS = 500;

export interface StoreWatchOptions {
  /** Throws when the store does not answer. */
  readonly ask: () => Promise<void>;
  /** Throws when the store does not take a write. */
  readonly probe: () => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Knows whether the store takes writes, so that no endpoint is asked for what could not be recorded. */
export class StoreWatch {
  readonly #options: StoreWatchOptions;
  #provenAt = -Infinity;
  #asking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isAway = false;
  #isStopped = false;

  constructor(options: StoreWatchOptions) {
    this.#options = options;
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  /** Throws `StoreUnavailable` when the store is away. Asks it when it has not been heard of for a while. */
  demand(): void | Promise<void> {
    if (this.#isAway) throw storeAway();
    if (this.#options.clock.elapsed() - this.#provenAt < TRUSTED_MS) return;
    return (this.#asking ??= this.#ask());
  }

  /** A write succeeded. */
  proven(): void {
    this.#provenAt = this.#options.clock.elapsed();
    if (!this.#isAway) return;
    this.#isAway = false;
    clearTimeout(this.#timer);
    this.#options.logger.info({}, 'The database takes records again.');
  }

  /** A write failed for want of the store. */
  lost(error: unknown): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#options.logger.error(
      { err: error },
      'The database takes no records; calls are refused until it does.',
    );
    this.#probeLater();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #ask(): Promise<void> {
    try {
      await this.#options.ask();
      this.#provenAt = this.#options.clock.elapsed();
    } catch (error) {
      this.lost(error);
      throw storeAway(error);
    } finally {
      this.#asking = undefined;
    }
  }

  #probeLater(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#probe(), PROBE_EVERY_MS).unref();
  }

  async #probe(): Promise<void> {
    try {
      await this.#options.probe();
      this.proven();
    } catch {
      this.#probeLater();
    }
  }
}

/** What a call is refused with before its endpoint is asked. */
export function storeAway(cause?: unknown): Problem {
  return StoreUnavailable(
    'The database takes no records now, so the endpoint was not asked. Try again in a moment.',
    {
      headers: { 'Retry-After': '2' },
      cause,
    },
  );
}

/** Whether an error says that the store, not the data, is at fault. */
export function isAway(error: unknown): boolean {
  return error instanceof Problem && error.code === StoreUnavailable.code;
}
