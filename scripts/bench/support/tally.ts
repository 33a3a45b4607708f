import type { LoadReport, Times } from './load.ts';
import type { Answered } from './connection.ts';

/** Counts answers by kind and keeps their times. */
export class Tally {
  readonly #answers: Record<string, number> = {};
  readonly #good: number[] = [];
  readonly #refused: number[] = [];
  #inTime = 0;

  /**
   * `inTime` is false for answers that came when the measured time was over, `isTimed` for those of which only the kind
   * counts.
   */
  add({ kind, took }: Answered, { inTime = true, isTimed = true } = {}): void {
    this.addOther(kind);
    if (isTimed) (kind === '200' ? this.#good : this.#refused).push(took);
    if (kind === '200' && inTime) this.#inTime += 1;
  }

  addOther(kind: string): void {
    this.#answers[kind] = (this.#answers[kind] ?? 0) + 1;
  }

  report(seconds: number): LoadReport {
    return {
      perSecond: this.#inTime / seconds,
      answers: this.#answers,
      good: timesOf(this.#good),
      refused: timesOf(this.#refused),
    };
  }
}

/** Their distribution. */
export function timesOf(milliseconds: readonly number[]): Times {
  const sorted = Float64Array.from(milliseconds).sort();
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
