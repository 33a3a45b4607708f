/** The one place that reads time. Tests hand in their own. */
export interface Clock {
  /** Wall clock, milliseconds since 1970 UTC. */
  now(): number;
  /** Monotonic milliseconds with fractions; for durations only. */
  elapsed(): number;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
};

/** ISO 8601 in UTC with milliseconds and `Z`: the form of every time on the wire and in text columns. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
