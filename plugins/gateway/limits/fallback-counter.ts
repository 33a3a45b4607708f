import { withDeadline, type Clock, type Logger } from '../../../core/index.ts';
import type { WindowCount, WindowCounter } from './window-counter.ts';

export interface FallbackOptions {
  /** Of the store, for the log and the health report: `Redis`. */
  readonly name: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long the store may take to answer, in milliseconds. */
  readonly deadlineMs?: number;
  /** How long a store that failed is left alone, in milliseconds. */
  readonly restMs?: number;
}

/**
 * Counts in a store, and in another one while the first is away: limits then hold as far as that one is shared instead
 * of not at all. A store that hangs costs one deadline per rest, not one per request.
 */
export class FallbackCounter implements WindowCounter {
  readonly #first: WindowCounter;
  readonly #second: WindowCounter;
  readonly #options: FallbackOptions;
  #restsUntil = 0;
  #away = false;

  constructor(first: WindowCounter, second: WindowCounter, options: FallbackOptions) {
    this.#first = first;
    this.#second = second;
    this.#options = options;
  }

  /** The second is not asked while the first answers, so what it said last does not count then. */
  get away(): readonly string[] {
    return this.#away ? [this.#options.name, ...this.#second.away] : [];
  }

  add(key: string, requests: number, windowS: number): Promise<WindowCount> {
    return this.#ask((counter) => counter.add(key, requests, windowS));
  }

  read(key: string, windowS: number): Promise<WindowCount | undefined> {
    return this.#ask((counter) => counter.read(key, windowS));
  }

  async #ask<T>(question: (counter: WindowCounter) => Promise<T>): Promise<T> {
    const { clock, deadlineMs = 250 } = this.#options;
    if (clock.elapsed() < this.#restsUntil) return question(this.#second);
    try {
      const answer = await withDeadline(deadlineMs, question(this.#first), () => {
        throw late(deadlineMs);
      });
      this.#note(false, undefined);
      return answer;
    } catch (error) {
      this.#restsUntil = clock.elapsed() + (this.#options.restMs ?? 1000);
      this.#note(true, error);
      return question(this.#second);
    }
  }

  #note(away: boolean, error: unknown): void {
    if (away === this.#away) return;
    this.#away = away;
    const { name, logger } = this.#options;
    if (away) logger.warn({ err: error }, `${name} is away; the next store counts, or this instance alone.`);
    else logger.info({}, `${name} is back and counts again.`);
  }
}

function late(deadlineMs: number): Error {
  return new Error(`no answer within ${deadlineMs} ms`);
}
