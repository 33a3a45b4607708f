import type { Problem } from '../errors/problem.ts';
import { Overloaded } from '../errors/problems.ts';
import type { Clock } from '../runtime/clock.ts';

/** So long after the last refusal there is more to do than can be done. */
const LULL_MS = 250;
/** From the one share of its time that the event loop works to the other, the limit falls. */
const SPARE_TIME = 0.9;
const NO_TIME = 0.98;
/** What takes longer waits for something else than this process. */
const PATIENCE_MS = 1000;

/** A request that is worked on. */
export interface Occupant {
  /** Since when it has its place, in milliseconds on the monotonic clock. */
  since: number;
}

export interface InFlightLimits {
  readonly limit: number;
  /** The limit while requests are refused and the processor is the reason. */
  readonly limitWhenBusy: number;
}

/**
 * Counts requests that are being worked on, so that more load means more refusals and not longer waits for all.
 * A request gives its place back while its body arrives, for else a few slow senders could take them all; and it loses
 * it after a second when others need it, for else an endpoint that hangs could.
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
  /** Longest there first. */
  readonly #occupants = new Set<Occupant>();
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
    return this.#occupants.size;
  }

  get isFull(): boolean {
    if (this.current < this.#limitWhenBusy) return false;
    const now = this.#clock.elapsed();
    this.#dismissPatient(now);
    if (this.current < this.#limitAt(now)) return false;
    this.#foundFullAt = now;
    return true;
  }

  /** Throws `Overloaded` when every place is taken. */
  enter(occupant: Occupant): void {
    if (this.isFull) throw this.refusal;
    occupant.since = this.#clock.elapsed();
    this.#occupants.add(occupant);
  }

  /** Gives the place back, if there is one. */
  leave(occupant: Occupant): void {
    if (this.#occupants.delete(occupant)) this.onLeave();
  }

  #dismissPatient(now: number): void {
    for (const occupant of this.#occupants) {
      if (now - occupant.since < PATIENCE_MS) return;
      this.leave(occupant);
    }
  }

  #limitAt(now: number): number {
    if (now - this.#foundFullAt > LULL_MS) return this.#limit;
    const spare = Math.min(Math.max((NO_TIME - this.#loop.share) / (NO_TIME - SPARE_TIME), 0), 1);
    return this.#limitWhenBusy + Math.round(spare * (this.#limit - this.#limitWhenBusy));
  }
}
