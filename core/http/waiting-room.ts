import type { Clock } from '../support/clock.ts';
import type { InFlight } from './in-flight.ts';

/** After so long it is decided who may stay. Short enough for a refusal after it to count as prompt. */
const DECISION_MS = 50;
/** Whoever stays should be served within so much more. */
const STAY_MS = 300;
/** Should those before him take longer than they did, he is let go after so long. */
const LONGEST_MS = 1000;
/** Nobody waits longer, by far. */
export const LONGEST_WAIT_MS = 2 * LONGEST_MS;
/** How often is looked for those who have waited long enough, at the most. */
const STEP_MS = 5;

/** A request that waits. */
export interface Guest {
  /** Called once, when there is a place or the wait was long enough. */
  proceed(): void;
}

interface Arrival {
  readonly at: number;
  /** How many had been called by then. */
  readonly called: number;
}

/**
 * Where requests wait a moment for a place, first come, first served. A client that waits does not ask: without it,
 * those who are refused ask again at once, and refusing them takes the time of those who are not. After a while only as
 * many may stay as will be served soon, by how many were called meanwhile: whom they will reach need not ask again.
 */
export class WaitingRoom {
  readonly #inFlight: InFlight;
  readonly #clock: Clock;
  readonly #arrivals = new Map<Guest, Arrival>();
  /** Those who may stay; all of them came before all others. */
  readonly #staying = new Map<Guest, Arrival>();
  #called = 0;
  #isTimed = false;

  constructor(inFlight: InFlight, clock: Clock) {
    this.#inFlight = inFlight;
    this.#clock = clock;
    inFlight.onLeave = () => this.#callSoon();
  }

  get isEmpty(): boolean {
    return this.#arrivals.size === 0 && this.#staying.size === 0;
  }

  wait(guest: Guest): void {
    this.#arrivals.set(guest, { at: this.#clock.elapsed(), called: this.#called });
    this.#time(DECISION_MS);
  }

  /** Lets everybody go on. */
  clear(): void {
    for (const guests of [this.#staying, this.#arrivals]) {
      for (const guest of guests.keys()) this.#release(guest, guests);
    }
  }

  /**
   * Later in this turn of the loop, for one who reads a body leaves his place and takes it again at once; and for each
   * by itself, so that what the last one let in had to do before he took his place is done.
   */
  #callSoon(): void {
    if (!this.isEmpty) setImmediate(() => this.#call());
  }

  /** Whether there was a place, and somebody to take it. */
  #call(): boolean {
    if (this.#inFlight.isFull) return false;
    for (const guests of [this.#staying, this.#arrivals]) {
      for (const guest of guests.keys()) {
        guests.delete(guest);
        this.#called += 1;
        guest.proceed();
        return true;
      }
    }
    return false;
  }

  /** As long as there are places that nobody left just now, as when those who were called had gone, or the limit rose. */
  #fill(): void {
    setImmediate(() => {
      if (this.#call()) this.#fill();
    });
  }

  #time(milliseconds: number): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    setTimeout(
      () => {
        this.#isTimed = false;
        this.#decide();
        this.#fill();
      },
      Math.max(milliseconds, STEP_MS),
    );
  }

  #decide(): void {
    const now = this.#clock.elapsed();
    for (const [guest, arrival] of this.#staying) {
      if (now - arrival.at < LONGEST_MS) break;
      this.#release(guest, this.#staying);
    }
    for (const [guest, arrival] of this.#arrivals) {
      const left = arrival.at + DECISION_MS - now;
      if (left > 0) return this.#time(left);
      const calledMeanwhile = this.#called - arrival.called;
      if (this.#staying.size < calledMeanwhile * (STAY_MS / DECISION_MS)) {
        this.#arrivals.delete(guest);
        this.#staying.set(guest, arrival);
      } else this.#release(guest, this.#arrivals);
    }
    if (this.#staying.size > 0) this.#time(DECISION_MS);
  }

  #release(guest: Guest, guests: Map<Guest, Arrival>): void {
    guests.delete(guest);
    setImmediate(() => {
      // A place that came free in this turn is theirs who may stay.
      if (this.#staying.size > 0) this.#call();
      guest.proceed();
    });
  }
}
