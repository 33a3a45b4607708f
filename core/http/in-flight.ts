import type { Problem } from '../errors/problem.ts';
import { Overloaded } from '../errors/problems.ts';
import type { Clock } from '../support/clock.ts';

/** So long after the last refusal there is more to do than can be done. */
const LULL_MS = 250;
/** From the one share of its time that the event loop works to the other, the limit falls. */
const SPARE_TIME = 0.9;
const NO_TIME = 0.98;
/** Places are counted by the quarter of a second in which they were taken; after five it is another's turn. */
const SLICE_MS = 250;
const SLICES = 5;

/** The `slice` of a request that has no place. */
export const NOWHERE = -Infinity;

/** A request that is worked on. */
export interface Occupant {
  /** The slice of time in which it took its place; written here. */
  slice: number;
}

export interface InFlightLimits {
  readonly limit: number;
  /** The limit while requests are refused and the processor is the reason. */
  readonly limitWhenBusy: number;
}

/**
 * Counts requests that are being worked on, so that more load means more refusals and not longer waits for all.
 * A request gives its place back while its body arrives, for else a few slow senders could take them all; and it loses
 * it after a second, for else an endpoint that hangs could. Places are numbers: a list of requests, were it a `Set`,
 * would keep those that ended alive through its own old tables until a full collection of garbage.
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
  /** Of the last slices: how many of those who came then are there still. */
  readonly #counts = Array.from({ length: SLICES }, () => 0);
  #slice = -1;
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

  /** So many are never too many. */
  get leastLimit(): number {
    return this.#limitWhenBusy;
  }

  get current(): number {
    return this.#current;
  }

  get isFull(): boolean {
    if (this.#current < this.#limitWhenBusy) return false;
    const now = this.#clock.elapsed();
    this.#dismissPatient(now);
    if (this.#current < this.#limitAt(now)) return false;
    this.#foundFullAt = now;
    return true;
  }

  /** Throws `Overloaded` when every place is taken. */
  enter(occupant: Occupant): void {
    if (this.isFull) throw this.refusal;
    this.#dismissPatient(this.#clock.elapsed());
    occupant.slice = this.#slice;
    this.#counts[this.#slice % SLICES]! += 1;
    this.#current += 1;
  }

  /** Gives the place back, if there is one. */
  leave(occupant: Occupant): void {
    const { slice } = occupant;
    occupant.slice = NOWHERE;
    if (slice <= this.#slice - SLICES) return;
    this.#counts[slice % SLICES]! -= 1;
    this.#giveBack(1);
  }

  #dismissPatient(now: number): void {
    const slice = Math.floor(now / SLICE_MS);
    for (let next = Math.max(this.#slice + 1, slice - SLICES + 1); next <= slice; next += 1) {
      const patient = this.#counts[next % SLICES]!;
      this.#counts[next % SLICES] = 0;
      this.#slice = next;
      this.#giveBack(patient);
    }
  }

  #giveBack(places: number): void {
    this.#current -= places;
    for (let told = 0; told < places; told += 1) this.onLeave();
  }

  #limitAt(now: number): number {
    if (now - this.#foundFullAt > LULL_MS) return this.#limit;
    const spare = Math.min(Math.max((NO_TIME - this.#loop.share) / (NO_TIME - SPARE_TIME), 0), 1);
    return this.#limitWhenBusy + Math.round(spare * (this.#limit - this.#limitWhenBusy));
  }
}
