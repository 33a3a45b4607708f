import type { LoadReport } from './load.ts';
import { median, rates, times, type Rounds } from './rounds.ts';

/** What a benchmark found, as Markdown. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  return ['', line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line), ''];
}

/** A figure beside its bound. */
export interface Target {
  readonly what: string;
  /** NaN when the figure is void. */
  readonly value: number;
  readonly must: number;
  readonly better: 'more' | 'less';
  readonly unit?: string;
}

/** The figures beside what they must be. */
export function targets(all: readonly Target[]): string[] {
  const rows = all.map(({ what, value, must, better, unit = '' }) => {
    const met = better === 'more' ? value >= must : value <= must;
    const bound = `${better === 'more' ? 'at least' : 'at most'} ${must}${unit}`;
    return [what, Number.isNaN(value) ? 'void' : `${precise(value)}${unit}`, bound, met ? 'yes' : 'no'];
  });
  return table(['Figure', 'Measured', 'Must be', 'Met'], rows);
}

/** Rates, times, cost and answers of each subject. */
export function loadTable(reports: Rounds<LoadReport>): string[] {
  const rows = Array.from(reports, ([name, runs]) => [
    name,
    whole(median(rates(reports, name))),
    `${precise(times(reports, name, 'p50'))} / ${precise(times(reports, name, 'p99'))}`,
    whole(median(runs.map(({ cost }) => cost))),
    histogram(runs),
  ]);
  return table(['What', 'Requests/s', 'p50 / p99 ms', 'CPU µs each', 'Answers'], rows);
}

/** Three significant digits. */
export function precise(value: number): string {
  if (Number.isNaN(value)) return 'void';
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

export function whole(value: number): string {
  return Number.isNaN(value) ? 'void' : Math.round(value).toLocaleString('en-US');
}

/** `200: 41,230 · 503: 12`: all answers of some runs. */
export function histogram(reports: readonly LoadReport[]): string {
  const sum = new Map<string, number>();
  for (const { answers } of reports) {
    for (const [kind, count] of Object.entries(answers)) sum.set(kind, (sum.get(kind) ?? 0) + count);
  }
  return Array.from(sum, ([kind, count]) => `${kind}: ${whole(count)}`).join(' · ');
}
