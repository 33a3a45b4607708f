import { isVoid, type Load, type LoadReport, type Subject } from './load.ts';
import type { Options } from './options.ts';

/** Results by name, one for each round. */
export type Rounds<R> = ReadonlyMap<string, readonly R[]>;

/**
 * Measures every subject once in each round, in an order that changes, so that the other work of the machine hits all of
 * them alike. The first round warms up and is not counted.
 */
export async function interleaved<S, R>(
  subjects: ReadonlyMap<string, S>,
  rounds: number,
  measure: (subject: S) => Promise<R>,
): Promise<Rounds<R>> {
  const all = [...subjects];
  const results = new Map<string, R[]>(all.map(([name]) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    process.stderr.write(round === 0 ? '  warming up\n' : `  round ${round} of ${rounds}\n`);
    const first = round % all.length;
    for (const [name, subject] of [...all.slice(first), ...all.slice(0, first)]) {
      const result = await measure(subject);
      if (round > 0) results.get(name)!.push(result);
    }
  }
  return results;
}

/** Loads every subject for some seconds in each round. */
export function loadInRounds(
  load: Load,
  subjects: ReadonlyMap<string, Subject>,
  connections: number,
  { rounds, seconds }: Pick<Options, 'rounds' | 'seconds'>,
): Promise<Rounds<LoadReport>> {
  return interleaved(subjects, rounds, (subject) => load.run({ ...subject, connections, seconds }));
}

/** NaN when one of the values is: a figure with a bad answer in it is void. */
export function median(values: readonly number[]): number {
  if (values.length === 0 || values.some(Number.isNaN)) return NaN;
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The median of the quotients of each round: both sides ran under the same conditions. */
export function medianRatio(values: readonly number[], base: readonly number[]): number {
  return median(values.map((value, round) => value / base[round]!));
}

/** The rate of one subject against that of another. */
export function rateRatio(reports: Rounds<LoadReport>, name: string, base: string): number {
  return medianRatio(rates(reports, name), rates(reports, base));
}

/** Good answers per second, round by round; NaN for a round with a bad answer. */
export function rates(reports: Rounds<LoadReport>, name: string): number[] {
  return reports.get(name)!.map((report) => (isVoid(report) ? NaN : report.perSecond));
}

/** The median of a quantile of the rounds, in milliseconds; NaN when one of them had a bad answer. */
export function times(reports: Rounds<LoadReport>, name: string, which: 'p50' | 'p95' | 'p99'): number {
  return median(reports.get(name)!.map((report) => (isVoid(report) ? NaN : report.good[which])));
}
