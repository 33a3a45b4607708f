/** A duration: milliseconds, or a number with a unit, such as `30s`, `5m`, `12h` and `1d`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** The milliseconds of a duration; `NaN` for any other value. */
export function millisecondsOf(duration: unknown): number {
  if (typeof duration === 'number') return duration;
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(duration));
  return parts ? Number(parts[1]) * UNIT_MS[parts[2]!]! : NaN;
}
