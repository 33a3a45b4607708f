import type { LoadReport } from './load.ts';
import { median, rates, times, type Rounds } from './rounds.ts';

type Row = readonly string[];

/** Prints what was found as Markdown: what happened, and the figures beside what they must be. */
export function printSection(title: string, figures: readonly Row[], happened?: string): void {
  const judged = table(['Figure', 'Measured', 'Must be', 'Met'], figures);
  console.log([`\n## ${title}`, ...(happened ? [happened] : []), judged].join('\n\n'));
}

/** A Markdown table. */
export function table(head: Row, rows: readonly Row[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A figure that must not be lower. One that is NaN is void. */
export function atLeast(must: number, what: string, value: number): Row {
  return [what, format(value), `at least ${must}`, value >= must ? 'yes' : 'no'];
}

/** A figure that must not be higher, in that unit. One that is NaN is void. */
export function atMost(must: number, unit: string, what: string, value: number): Row {
  return [what, format(value), `at most ${must} ${unit}`, value <= must ? 'yes' : 'no'];
}

/** Rates, times, cost and answers of each subject. */
export function loadTable(reports: Rounds<LoadReport>): string {
  const rows = Array.from(reports, ([name, runs]) => [
    name,
    format(median(rates(reports, name))),
    (['p50', 'p95', 'p99'] as const).map((which) => format(times(reports, name, which))).join(' / '),
    format(median(runs.map(({ cost }) => cost))),
    histogram(runs),
  ]);
  return table(['What', 'Requests/s', 'p50 / p95 / p99 ms', 'CPU µs each', 'Answers'], rows);
}

const threeDigits = new Intl.NumberFormat('en-US', {
  maximumSignificantDigits: 3,
  maximumFractionDigits: 0,
  roundingPriority: 'morePrecision',
});

/** Three significant digits, or all of a larger whole number. */
export function format(value: number): string {
  return Number.isNaN(value) ? 'void' : threeDigits.format(value);
}

/** `200: 41,230 · 503: 12`: all answers of some runs. */
export function histogram(reports: readonly LoadReport[]): string {
  const sum = new Map<string, number>();
  for (const { answers } of reports) {
    for (const [kind, count] of Object.entries(answers)) sum.set(kind, (sum.get(kind) ?? 0) + count);
  }
  return Array.from(sum, ([kind, count]) => `${kind}: ${format(count)}`).join(' · ');
}
