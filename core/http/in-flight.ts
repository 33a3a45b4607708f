import type { Problem } from '../errors/problem.ts';
import { Overloaded } from '../errors/problems.ts';
import type { Clock } from '../runtime/clock.ts';

/** So long after the last refusal there is more to do than can be done. */
const LULL_MS = 250;
/** From the one share of its time that the event loop works to the other, the limit falls. */
const SPARE_TIME = 0.9;
const NO_TIME = 0.98;

export interface InFlightLimits {
  readonly limit: number;
  /** The limit while requests are refused and the processor is the reason. */
  readonly limitWhenBusy: number;
}

/**
 * Counts requests that are being worked on, so that more load means more refusals and not longer waits for all.
 * A request gives its place back while its body arrives, for else a few slow senders could take them all.
 *
 * Once requests are refused and the event loop works without a pause, the limit is a lower one: what is in flight
 * survives each collection of garbage, which makes all of it dearer. While they wait for slow endpoints it stays.
 */
export class InFlight {
  readonly #limit: number;
  readonly #limitWhenBusy: number;
  readonly #loop: { readonly share: number };
  readonly #clock: Clock;
  /** One for all refusals: under overload even the trace of an error costs what answers need. */
  readonly refusal: Problem;
  /** Told when somebody left. */
  onLeave: () => void = () => undefined;
  #current = 0;
  #foundFullAt = -Infinity;

  constructor({ limit, limitWhenBusy }: InFlightLimits, loop: { readonly share: number }, clock: Clock) {
    this.#limit = limit;
    this.#limitWhenBusy = Math.min(limit, limitWhenBusy);
    this.#loop = loop;
    this.#clock = clock;
    this.refusal = Overloaded('The server works on as many requests as it can. Try again in a second.', {
      headers: { 'Retry-After': '1' },
    });
  }

  get current(): number {
    return this.#current;
  }

  get isFull(): boolean {
    if (this.#current < this.#limitWhenBusy) return false;
    const now = this.#clock.elapsed();
    if (this.#current < this.#limitAt(now)) return false;
    this.#foundFullAt = now;
    return true;
  }

  /** Throws `Overloaded` when every place is taken. */
  enter(): void {
    if (this.isFull) throw this.refusal;
    this.#current += 1;
  }

  leave(): void {
    this.#current -= 1;
    this.onLeave();
  }

  #limitAt(now: number): number {
    if (now - this.#foundFullAt > LULL_MS) return this.#limit;
    const spare = Math.min(Math.max((NO_TIME - this.#loop.share) / (NO_TIME - SPARE_TIME), 0), 1);
    return this.#limitWhenBusy + Math.round(spare * (this.#limit - this.#limitWhenBusy));
  }
}
