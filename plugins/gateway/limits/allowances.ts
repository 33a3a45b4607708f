import { token, type Clock } from '../../../core/index.ts';
import type { WindowCount, WindowCounter } from './window-counter.ts';

/** A limit on something that is counted. */
export interface Limit {
  /** What is counted: `user:<id>`. */
  readonly key: string;
  readonly requests: number;
  readonly windowS: number;
}

/** Whether a request may pass, and what is left. */
export interface Grant {
  readonly allowed: boolean;
  /** Requests that are left in the window, as far as this instance knows. */
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetMs: number;
  /** When that is, by the monotonic clock. */
  readonly endsAt: number;
}

/** What this instance holds of a window: requests it may pass without asking the store again. */
interface Held {
  readonly limit: Limit;
  left: number;
  /** What the store had left when it was asked last. */
  elsewhere: number;
  /** Nothing is left until the window ends: the store need not be asked. */
  spent: boolean;
  endsAt: number;
  asking: boolean;
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly resolve: (grant: Grant) => void;
  readonly reject: (error: unknown) => void;
}

const MOST_HELD = 10_000;
/** So many that hold something are passed over before one of them is forgotten all the same. */
const MOST_PASSED_OVER = 10;
/** All who come while the store is asked wait for its answer; more would be lost for the others when it is not spent. */
const LARGEST_SHARE = 1000;

/**
 * Spends limits that several instances share, without asking the store for each request: one question serves all who
 * wait for it, and those that follow the first of a window take a hundredth of what is left in advance, a thousand at
 * most. All instances together never pass more than the limit. What one took in advance and does not spend is lost for
 * the others; it gets less with what is left, and nothing is taken in advance of the last two hundred.
 */
export class Allowances {
  readonly #counter: WindowCounter;
  readonly #clock: Clock;
  readonly #held = new Map<string, Held>();

  constructor({ counter, clock }: { readonly counter: WindowCounter; readonly clock: Clock }) {
    this.#counter = counter;
    this.#clock = clock;
  }

  /** Spends one request of a limit; at once when this instance holds some or knows that nothing is left. */
  take(limit: Limit): Grant | Promise<Grant> {
    const held = this.#heldOf(limit);
    const known = this.#spend(held);
    if (known) return known;
    return new Promise((resolve, reject) => {
      held.waiting.push({ resolve, reject });
      if (!held.asking) void this.#ask(held);
    });
  }

  /** Takes a request back that was granted and not made; answers the grant as it is then. */
  giveBack(limit: Limit, grant: Grant): Grant {
    const held = this.#held.get(nameOf(limit));
    if (!held || !isOneWindow(held.endsAt, grant.endsAt, limit)) return grant;
    held.left += 1;
    return { ...grant, remaining: held.left + held.elsewhere };
  }

  /** What `take` would answer, without spending. */
  async peek(limit: Limit): Promise<Grant & { readonly running: boolean }> {
    const { requests, windowS } = limit;
    const held = this.#held.get(nameOf(limit));
    const count = await this.#counter.read(keyOf(limit), windowS);
    const resetMs = count ? untilEnd(count, limit) : windowS * 1000;
    const endsAt = this.#clock.elapsed() + resetMs;
    if (!count) return { allowed: true, remaining: requests, resetMs, endsAt, running: false };
    const mine = held && this.#isRunning(held) ? held.left : 0;
    const remaining = Math.max(0, requests - count.count) + mine;
    return { allowed: remaining > 0, remaining, resetMs, endsAt, running: true };
  }

  #heldOf(limit: Limit): Held {
    const name = nameOf(limit);
    const found = this.#held.get(name);
    if (found) return found;
    const held: Held = { limit, left: 0, elsewhere: 0, spent: false, endsAt: 0, asking: false, waiting: [] };
    this.#held.set(name, held);
    if (this.#held.size > MOST_HELD) this.#forgetOne();
    return held;
  }

  /** One of the oldest, and if possible one that holds nothing. */
  #forgetOne(): void {
    let passedOver = 0;
    for (const [name, held] of this.#held) {
      if (held.asking) continue;
      this.#held.delete(name);
      if (held.left === 0 || !this.#isRunning(held) || passedOver === MOST_PASSED_OVER) return;
      passedOver += 1;
      this.#held.set(name, held);
    }
  }

  #isRunning({ endsAt }: Held): boolean {
    return this.#clock.elapsed() < endsAt;
  }

  /** A grant that needs no question, or `undefined`. */
  #spend(held: Held): Grant | undefined {
    const { endsAt } = held;
    const resetMs = endsAt - this.#clock.elapsed();
    if (resetMs <= 0) return undefined;
    if (held.left > 0) {
      held.left -= 1;
      return { allowed: true, remaining: held.left + held.elsewhere, resetMs, endsAt };
    }
    return held.spent ? { allowed: false, remaining: 0, resetMs, endsAt } : undefined;
  }

  /** Asks the store until nobody waits; those who come meanwhile are served by the next question. */
  async #ask(held: Held): Promise<void> {
    const { limit } = held;
    held.asking = true;
    try {
      while (held.waiting.length > 0) {
        const asked = Math.max(this.#shareOf(held), held.waiting.length);
        const window = await this.#counter.add(keyOf(limit), asked, limit.windowS);
        const endsAt = this.#clock.elapsed() + untilEnd(window, limit);
        const granted = Math.min(asked, Math.max(0, limit.requests - (window.count - asked)));
        // What was given back meanwhile is there still.
        held.left = granted + (isOneWindow(held.endsAt, endsAt, limit) ? held.left : 0);
        held.elsewhere = Math.max(0, limit.requests - window.count);
        held.spent = granted < asked;
        held.endsAt = endsAt;
        this.#serve(held);
      }
    } catch (error) {
      for (const { reject } of held.waiting.splice(0)) reject(error);
    } finally {
      held.asking = false;
    }
  }

  /** One alone to begin with: most callers make few requests in a window. */
  #shareOf(held: Held): number {
    if (!this.#isRunning(held)) return 1;
    return Math.min(LARGEST_SHARE, Math.max(1, Math.floor(held.elsewhere / 100)));
  }

  #serve(held: Held): void {
    while (held.waiting.length > 0) {
      const grant = this.#spend(held);
      if (!grant) return;
      held.waiting.shift()?.resolve(grant);
    }
  }
}

/**
 * Milliseconds, at least one; stores tell them by the wall clock, and when that was set back, they are more than a window
 * has.
 */
function untilEnd({ endsInMs }: WindowCount, { windowS }: Limit): number {
  return Math.min(Math.max(1, endsInMs), windowS * 1000);
}

/** Whether two ends are of the same window: each answer of the store tells it a little differently. */
function isOneWindow(one: number, other: number, { windowS }: Limit): boolean {
  return Math.abs(one - other) < windowS * 500;
}

function keyOf({ key, windowS }: Limit): string {
  return `${key}:${windowS}`;
}

function nameOf({ key, windowS, requests }: Limit): string {
  return `${key}:${windowS}:${requests}`;
}

export const ALLOWANCES = token<Allowances>('gateway:allowances');
