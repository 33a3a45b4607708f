import type { Stats } from '../api/queries.ts';
import { showPercent, text } from '../texts/text.ts';

const WIDTH = 96;
const HEIGHT = 26;

/** The calls of the last 30 days as a line, in words for those who do not see it. */
export function Sparkline({ days }: { readonly days: readonly number[] }) {
  const most = Math.max(...days);
  const sum = days.reduce((before, each) => before + each, 0);
  const x = (day: number): number => 1 + (day * (WIDTH - 2)) / Math.max(1, days.length - 1);
  const y = (calls: number): number => HEIGHT - 2 - (most === 0 ? 0 : (calls / most) * (HEIGHT - 5));
  const line = days
    .map((calls, day) => `${day ? 'L' : 'M'}${x(day).toFixed(1)} ${y(calls).toFixed(1)}`)
    .join('');
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={text.catalogue.trend(sum, most)}
    >
      <path d={`${line}V${HEIGHT}H${x(0)}Z`} fill="currentColor" fillOpacity={0.12} stroke="none" />
      <path d={line} fill="none" stroke="currentColor" strokeWidth={1.6} strokeLinejoin="round" />
    </svg>
  );
}

/** The share of calls that succeeded; `undefined` without calls. */
export function showSuccess({ calls, success_rate }: Stats): string | undefined {
  return calls === 0 ? undefined : showPercent(success_rate / 100);
}
