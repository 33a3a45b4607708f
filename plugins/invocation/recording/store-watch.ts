import {
  StoreUnavailable,
  UnfitDatabase,
  type Clock,
  type Logger,
  type Problem,
} from '../../../core/index.ts';

/** A sign of life this old or younger needs no question. */
const TRUSTED_MS = 1000;
const PROBE_EVERY_MS = 500;
/** A store that does not answer for this long is away, whatever time its driver takes to say so. */
export const PATIENCE_MS = 5_000;

const NO_ANSWER = 'The database does not answer.';

export interface StoreWatchOptions {
  /** Throws when the store does not answer. */
  readonly ask: () => Promise<void>;
  /** Throws when the store does not take a write. */
  readonly probe: () => Promise<void>;
  /** How long an answer may take. */
  readonly patienceMs?: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Knows whether the store takes writes, so that no endpoint is asked for what could not be recorded. */
export class StoreWatch {
  readonly #options: StoreWatchOptions;
  #provenAt = -Infinity;
  #asking: Promise<void> | undefined;
  #stopAsking: ((error: unknown) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isProbing = false;
  #awaySince: number | undefined;
  #reason = NO_ANSWER;
  #isStopped = false;

  constructor(options: StoreWatchOptions) {
    this.#options = options;
  }

  get isAway(): boolean {
    return this.#awaySince !== undefined;
  }

  /** Why, in a sentence that names no host and no file; `undefined` while it is not away. */
  get reason(): string | undefined {
    return this.isAway ? this.#reason : undefined;
  }

  /** When it was found that the store is away, on the monotonic clock. */
  get awaySince(): number | undefined {
    return this.#awaySince;
  }

  /** Throws `StoreUnavailable` when the store is away. Asks it when it has not been heard of for a while. */
  demand(): void | Promise<void> {
    if (this.isAway) throw storeAway();
    if (this.#options.clock.elapsed() - this.#provenAt < TRUSTED_MS) return;
    return (this.#asking ??= this.#ask());
  }

  /** A write succeeded. */
  proven(): void {
    this.#provenAt = this.#options.clock.elapsed();
    if (!this.isAway) return;
    this.#awaySince = undefined;
    clearTimeout(this.#timer);
    this.#options.logger.info({}, 'The database takes records again.');
  }

  /** A write failed for want of the store. */
  lost(error: unknown): void {
    if (this.isAway) return;
    this.#awaySince = this.#options.clock.elapsed();
    this.#reason = reasonOf(error);
    this.#stopAsking?.(error);
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
    const { ask, patienceMs = PATIENCE_MS, clock } = this.#options;
    const given = new Promise<never>((_, reject) => (this.#stopAsking = reject));
    const timer = setTimeout(() => this.lost(storeSilent()), patienceMs).unref();
    try {
      await Promise.race([ask(), given]);
      this.#provenAt = clock.elapsed();
    } catch (error) {
      this.lost(error);
      throw storeAway(error);
    } finally {
      clearTimeout(timer);
      this.#stopAsking = undefined;
      this.#asking = undefined;
    }
  }

  #probeLater(): void {
    if (this.#isStopped || this.#isProbing) return;
    this.#timer = setTimeout(() => void this.#probe(), PROBE_EVERY_MS).unref();
  }

  async #probe(): Promise<void> {
    this.#isProbing = true;
    try {
      await this.#options.probe();
      this.proven();
    } catch (error) {
      // Whoever waits for the store hears of it from its own attempt. It may be away for another reason by now.
      if (isAway(error)) this.#reason = reasonOf(error);
    }
    this.#isProbing = false;
    // A write may have found the store back while this one waited.
    if (this.isAway) this.#probeLater();
  }
}

/** What an attempt is given up with that gets no answer. */
export function storeSilent(): Problem {
  return StoreUnavailable('The database did not answer in time.');
}

function reasonOf(error: unknown): string {
  if (isUnfit(error))
    return 'The database lacks a table, a column or a right that records need; the log says which.';
  return StoreUnavailable.is(error) ? error.message : NO_ANSWER;
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

/** Whether an error says that the store, not the data, is at fault: it does not answer, or lacks a table or a right. */
export function isAway(error: unknown): boolean {
  return isUnanswered(error) || isUnfit(error);
}

/** Whether the store was not reached, or said nothing of what it was asked. */
export function isUnanswered(error: unknown): boolean {
  return StoreUnavailable.is(error);
}

/** Whether the store takes no such record before somebody has mended it. */
export function isUnfit(error: unknown): boolean {
  return error instanceof UnfitDatabase;
}
