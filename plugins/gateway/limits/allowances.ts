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
const LARGEST_SHARE = 100;

/**
 * Spends limits that several instances share, without asking the store for each request: one question serves all who
 * wait for it and takes a hundredth of the limit in advance. All instances together never pass more than the limit; what
 * one took in advance and does not spend is lost for the others, one hundredth at most.
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

  /** What `take` would answer, without spending. */
  async peek(limit: Limit): Promise<Grant & { readonly running: boolean }> {
    const { requests, windowS } = limit;
    const held = this.#held.get(nameOf(limit));
    const mine = held && this.#clock.elapsed() < held.endsAt ? held.left : 0;
    const count = await this.#counter.read(keyOf(limit), windowS);
    if (!count) return { allowed: true, remaining: requests, resetMs: windowS * 1000, running: false };
    const remaining = Math.max(0, requests - count.count) + mine;
    return { allowed: remaining > 0, remaining, resetMs: untilEnd(count, windowS), running: true };
  }

  #heldOf(limit: Limit): Held {
    const name = nameOf(limit);
    const found = this.#held.get(name);
    if (found) return found;
    const held: Held = { limit, left: 0, elsewhere: 0, spent: false, endsAt: 0, asking: false, waiting: [] };
    this.#held.set(name, held);
    if (this.#held.size > MOST_HELD) this.#forgetOldest();
    return held;
  }

  #forgetOldest(): void {
    for (const [name, { asking }] of this.#held) {
      if (asking) continue;
      this.#held.delete(name);
      return;
    }
  }

  /** A grant that needs no question, or `undefined`. */
  #spend(held: Held): Grant | undefined {
    const resetMs = held.endsAt - this.#clock.elapsed();
    if (resetMs <= 0) return undefined;
    if (held.left > 0) {
      held.left -= 1;
      return { allowed: true, remaining: held.left + held.elsewhere, resetMs };
    }
    return held.spent ? { allowed: false, remaining: 0, resetMs } : undefined;
  }

  /** Asks the store until nobody waits; those who come meanwhile are served by the next question. */
  async #ask(held: Held): Promise<void> {
    const { requests, windowS } = held.limit;
    const share = Math.min(LARGEST_SHARE, Math.max(1, Math.floor(requests / 100)));
    held.asking = true;
    try {
      while (held.waiting.length > 0) {
        const asked = Math.max(share, held.waiting.length);
        const window = await this.#counter.add(keyOf(held.limit), asked, windowS);
        const { count } = window;
        const granted = Math.min(asked, Math.max(0, requests - (count - asked)));
        held.endsAt = this.#clock.elapsed() + Math.max(1, untilEnd(window, windowS));
        held.left = granted;
        held.elsewhere = Math.max(0, requests - count);
        held.spent = granted < asked;
        this.#serve(held);
      }
    } catch (error) {
      for (const { reject } of held.waiting.splice(0)) reject(error);
    } finally {
      held.asking = false;
    }
  }

  #serve(held: Held): void {
    while (held.waiting.length > 0) {
      const grant = this.#spend(held);
      if (!grant) return;
      held.waiting.shift()?.resolve(grant);
    }
  }
}

/** Milliseconds; stores tell them by the wall clock, and when that was set back, they are more than a window has. */
function untilEnd({ endsInMs }: WindowCount, windowS: number): number {
  return Math.min(endsInMs, windowS * 1000);
}

function keyOf({ key, windowS }: Limit): string {
  return `${key}:${windowS}`;
}

function nameOf({ key, windowS, requests }: Limit): string {
  return `${key}:${windowS}:${requests}`;
}

export const ALLOWANCES = token<Allowances>('gateway:allowances');
