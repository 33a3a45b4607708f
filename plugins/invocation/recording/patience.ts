import type { Clock } from '../../../core/index.ts';

/**
 * Ends waiting that lasts too long, of one work at a time. While nothing does, a timer goes off once in a while, and not
 * one is set for each work.
 */
export class Patience {
  readonly #clock: Clock;
  #end = Infinity;
  #giveUp: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #due = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves or rejects with the work, unless that takes beyond a time of the clock: then calls `onLate` and resolves. */
  async within(end: number, work: Promise<void>, onLate: () => void): Promise<void> {
    const late = new Promise<void>((resolve) => {
      this.#giveUp = () => {
        onLate();
        resolve();
      };
    });
    this.#end = end;
    this.#arm();
    try {
      await Promise.race([work, late]);
    } finally {
      this.#giveUp = undefined;
    }
  }

  /** Moves the end of the work under way to an earlier time. */
  hurry(end: number): void {
    if (this.#giveUp === undefined || end >= this.#end) return;
    this.#end = end;
    this.#arm();
  }

  /** For when no work comes any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#due = Infinity;
  }

  /** A timer that goes off earlier looks again. */
  #arm(): void {
    if (this.#due <= this.#end) return;
    clearTimeout(this.#timer);
    this.#due = this.#end;
    this.#timer = setTimeout(() => this.#look(), Math.max(0, this.#end - this.#clock.elapsed())).unref();
  }

  #look(): void {
    this.#due = Infinity;
    if (this.#giveUp === undefined) return;
    if (this.#clock.elapsed() >= this.#end) this.#giveUp();
    else this.#arm();
  }
}
