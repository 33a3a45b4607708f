import type { Clock } from '../../../core/index.ts';

/** A clock that moves when the test says so. */
export interface ManualClock extends Clock {
  /** Milliseconds. */
  advance(by: number): void;
}

export function manualClock(start = Date.UTC(2026, 0, 15, 12)): ManualClock {
  let passed = 0;
  return {
    now: () => start + passed,
    elapsed: () => passed,
    advance: (by) => {
      passed += by;
    },
  };
}
