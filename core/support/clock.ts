/** The only source of time. Tests provide their own. */
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

/** The milliseconds of a UTC day, which has no leap seconds. */
export const DAY_MS = 86_400_000;

/** ISO 8601 in UTC with milliseconds and `Z`, the format of all times on the wire and in text columns. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The UTC day of a time: `2026-01-31`. */
export function isoDay(milliseconds: number): string {
  return isoTime(milliseconds).slice(0, 10);
}
