import { performance } from 'node:perf_hooks';
import type { Clock } from './clock.ts';

/** Long enough for many turns of a loop under load. */
const WINDOW_MS = 100;

/** How much of its time the event loop of this thread works instead of waiting; looks at it only when asked. */
export class LoopLoad {
  readonly #clock: Clock;
  #mark = performance.eventLoopUtilization();
  #markedAt: number;
  #share = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#markedAt = clock.elapsed();
  }

  /** From 0 to 1, over the tenth of a second or more that ended last. */
  get share(): number {
    const now = this.#clock.elapsed();
    if (now - this.#markedAt >= WINDOW_MS) {
      const mark = performance.eventLoopUtilization();
      this.#share = performance.eventLoopUtilization(mark, this.#mark).utilization;
      this.#mark = mark;
      this.#markedAt = now;
    }
    return this.#share;
  }
}
