import type { Clock } from '../runtime/clock.ts';
import type { InFlight } from './in-flight.ts';

/** How long a request may wait for a place. Short enough for a refusal after it to count as prompt. */
const WAIT_MS = 120;
/** How often is looked for those who have waited long enough, at the most. */
const STEP_MS = 5;

/** A request that waits. */
export interface Guest {
  /** Called once, when there is a place or the wait was long enough. */
  proceed(): void;
}

/**
 * Where requests wait a moment for a place, first come, first served. A client that waits does not ask: without it,
 * those who are refused ask again at once, and refusing them takes the time of those who are not.
 */
export class WaitingRoom {
  readonly #inFlight: InFlight;
  readonly #clock: Clock;
  /** With the time at which each came. */
  readonly #guests = new Map<Guest, number>();
  #isTimed = false;

  constructor(inFlight: InFlight, clock: Clock) {
    this.#inFlight = inFlight;
    this.#clock = clock;
    inFlight.onLeave = () => this.#call();
  }

  get isEmpty(): boolean {
    return this.#guests.size === 0;
  }

  wait(guest: Guest): void {
    this.#guests.set(guest, this.#clock.elapsed());
    this.#time(WAIT_MS);
  }

  /**
   * Later in this turn of the loop, for one who reads a body leaves his place and takes it again at once; and for each
   * by itself, so that what the last one let in had to do before he took his place is done.
   */
  #call(): void {
    if (this.isEmpty) return;
    setImmediate(() => {
      if (this.#inFlight.isFull) return;
      for (const guest of this.#guests.keys()) {
        this.#guests.delete(guest);
        return guest.proceed();
      }
    });
  }

  #time(milliseconds: number): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    setTimeout(
      () => {
        this.#isTimed = false;
        this.#releaseLate();
      },
      Math.max(milliseconds, STEP_MS),
    );
  }

  #releaseLate(): void {
    const late = this.#clock.elapsed() - WAIT_MS;
    for (const [guest, since] of this.#guests) {
      if (since > late) return this.#time(since - late);
      this.#guests.delete(guest);
      setImmediate(() => guest.proceed());
    }
  }
}
