import { isVoid, type Measured } from './load.ts';
import type { Options } from './options.ts';
import { progress } from './progress.ts';

/**
 * Measures every subject once per round, in an order that changes, so that what the machine does meanwhile hits all
 * of them alike. The first round is not counted.
 */
export async function interleaved<R>(
  names: readonly string[],
  rounds: number,
  measure: (name: string) => Promise<R>,
): Promise<ReadonlyMap<string, readonly R[]>> {
  const results = new Map<string, R[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    progress(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const result = await measure(name);
      if (round > 0) results.get(name)!.push(result);
    }
  }
  return results;
}

/** For each round of `interleaved`, so many turns in as little of its time. */
const TURNS = 10;

/**
 * In short turns, for subjects that differ by less than the speed of a shared machine within the seconds of a long one:
 * the more turns, the less hangs on what the machine did in one.
 */
export function inShortTurns<R>(
  names: readonly string[],
  { rounds, seconds }: Pick<Options, 'rounds' | 'seconds'>,
  measure: (name: string, seconds: number) => Promise<R>,
): Promise<ReadonlyMap<string, readonly R[]>> {
  return interleaved(names, TURNS * rounds, (name) => measure(name, seconds / TURNS));
}

/** NaN when one of them is: a figure with a bad answer in it is void. */
export function median(values: readonly number[]): number {
  if (values.some(Number.isNaN)) return NaN;
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return NaN;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The median of the quotients of each round: both sides ran under the same conditions. */
export function medianRatio(values: readonly number[], base: readonly number[]): number {
  return median(values.map((value, round) => value / base[round]!));
}

/** What load on each subject gave, round by round. */
export type Reports = ReadonlyMap<string, readonly Measured[]>;

/** Good answers per second, round by round; NaN for a round with a bad answer. */
export function rates(reports: Reports, name: string): number[] {
  return reports.get(name)!.map((report) => (isVoid(report) ? NaN : report.perSecond));
}

type Quantile = 'p50' | 'p95' | 'p99';

/** In milliseconds, round by round; NaN for a round with a bad answer. */
export function timesOfRounds(reports: Reports, name: string, which: Quantile): number[] {
  return reports.get(name)!.map((report) => (isVoid(report) ? NaN : report.good[which]));
}

/** The median of the rounds, in milliseconds; NaN when one of them had a bad answer. */
export function times(reports: Reports, name: string, which: Quantile): number {
  return median(timesOfRounds(reports, name, which));
}
