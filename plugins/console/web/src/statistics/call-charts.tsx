import { useMemo } from 'react';
import type { CallSeries } from '../api/queries.ts';
import type { ChartData } from '../charts/chart-data.ts';
import { Chart } from '../charts/chart.tsx';
import {
  showDuration,
  showNumber,
  showPercent,
  showStatus,
  showUtc,
  text,
  useLanguage,
} from '../texts/text.ts';

const DAY_SECONDS = 86_400;

/** How many calls there were, how many succeeded and how long they took. */
export function CallFigures({ total }: { readonly total: CallSeries['total'] }) {
  const calls = total.success + total.failed + (total.canceled ?? 0);
  const duration = (seconds: number | null): string => (seconds === null ? '–' : showDuration(seconds));
  const figures = [
    [text.figures.calls, showNumber(calls)],
    [text.figures.succeeded, calls > 0 ? showPercent(total.success / calls) : '–'],
    [text.figures.p50, duration(total.p50)],
    [text.figures.p95, duration(total.p95)],
  ] as const;
  return <FigureCards figures={figures} />;
}

/** Figures side by side, each with its name. */
export function FigureCards({ figures }: { readonly figures: readonly (readonly [string, string])[] }) {
  return (
    <dl className="figure-cards">
      {figures.map(([name, value]) => (
        <div key={name} className="card">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Calls by status over time, and how long they took. */
export function CallCharts({ series }: { readonly series: CallSeries }) {
  const language = useLanguage();
  const charts = useMemo(() => chartsOf(series), [series, language]);
  return (
    <div className="chart-pair">
      <section className="card">
        <header>
          <h2>{text.figures.countsTitle}</h2>
        </header>
        <div className="body">
          <Chart data={charts.counts} summary={countsSummary(series)} />
        </div>
      </section>
      <section className="card">
        <header>
          <h2>{text.figures.timesTitle}</h2>
        </header>
        <div className="body">
          <Chart data={charts.times} summary={timesSummary(series)} />
        </div>
      </section>
    </div>
  );
}

function chartsOf({ points, bucket }: CallSeries): { readonly counts: ChartData; readonly times: ChartData } {
  const shared = {
    x: points.map(({ at }) => Date.parse(at) / 1000),
    xLabel: bucket === 'hour' ? text.figures.hour : text.figures.day,
    time: 'utc' as const,
    fromZero: true,
    showX: (seconds: number) => showUtc(bucket, seconds * 1000),
    showTick: (seconds: number, distance: number) =>
      showUtc(distance < DAY_SECONDS ? 'hourOfDay' : 'dayOfYear', seconds * 1000),
  };
  const canceled = points.map((point) => point.canceled ?? 0);
  const bars = { shape: 'bars' } as const;
  return {
    counts: {
      ...shared,
      showY: showNumber,
      series: [
        {
          ...bars,
          label: showStatus('success'),
          colour: '--chart-good',
          values: points.map(({ success }) => success),
        },
        {
          ...bars,
          label: showStatus('failed'),
          colour: '--chart-bad',
          values: points.map(({ failed }) => failed),
        },
        ...(canceled.some((count) => count > 0)
          ? [{ ...bars, label: showStatus('canceled'), colour: '--chart-other', values: canceled }]
          : []),
      ],
    },
    times: {
      ...shared,
      showY: (seconds: number) => (seconds === 0 ? showNumber(0) : showDuration(seconds)),
      series: [
        { label: text.figures.p50, colour: '--hue-series', values: points.map(({ p50 }) => p50) },
        { label: text.figures.p95, colour: '--hue-nlp', values: points.map(({ p95 }) => p95) },
      ],
    },
  };
}

function countsSummary({ points, total, bucket }: CallSeries): string {
  const sizes = points.map(({ success, failed, canceled = 0 }) => success + failed + canceled);
  const most = Math.max(0, ...sizes);
  if (most === 0) return text.figures.noCalls;
  const busiest = showUtc(bucket, Date.parse(points[sizes.indexOf(most)]!.at));
  const sum = sizes.reduce((one, other) => one + other, 0);
  return text.figures.countsSummary(sum, sum - total.success, busiest, most);
}

function timesSummary({ total: { p50, p95 } }: CallSeries): string {
  if (p50 === null || p95 === null) return text.figures.noCalls;
  return text.figures.timesSummary(showDuration(p50), showDuration(p95));
}
