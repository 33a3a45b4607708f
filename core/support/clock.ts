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

/** The last time whose `isoTime` has a year of four digits, so that texts sort like times. */
export const LATEST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The second of the cached prefix: formatting a date is slow, and the times of one second share all but three digits. */
let writtenSecond = NaN;
let writtenText = '';

/** ISO 8601 in UTC with milliseconds and `Z`, the format of all times on the wire and in text columns. */
export function isoTime(milliseconds: number): string {
  const whole = Math.trunc(milliseconds);
  const second = Math.floor(whole / 1000);
  if (second !== writtenSecond) {
    writtenText = new Date(whole).toISOString().slice(0, -'000Z'.length);
    writtenSecond = second;
  }
  return `${writtenText}${String(whole - second * 1000).padStart(3, '0')}Z`;
}

/** The UTC day of a time: `2026-01-31`. */
export function isoDay(milliseconds: number): string {
  return isoTime(milliseconds).slice(0, 10);
}
