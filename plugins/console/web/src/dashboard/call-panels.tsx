import { useCallback } from 'react';
import type { CallSeries } from '../api/queries.ts';
import type { ChartData } from '../charts/chart-data.ts';
import { showDuration, showNumber, showPercent, showStatus, text } from '../texts/text.ts';
import { ChartPanel } from './chart-panel.tsx';
import type { Zone } from './dashboard-search.ts';
import type { Asked } from './figure-panel.tsx';
import { showPoint, timeAxis } from './time-axis.ts';
import type { Dashboard } from './use-dashboard.ts';

/** How many calls there were, how many succeeded and how long they took. */
export function CallFigures({ total }: { readonly total: CallSeries['total'] }) {
  const calls = callsIn(total);
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

export function callsIn({ success, failed }: CallSeries['total']): number {
  return success + failed;
}

interface CallPanelsProps {
  readonly asked: Asked<CallSeries>;
  readonly dashboard: Dashboard;
}

/** Calls by status over time, and how long they took. */
export function CallPanels({ asked, dashboard: { time, zoom } }: CallPanelsProps) {
  const { zone } = time;
  const counts = useCallback((series: CallSeries) => countsChart(series, zone), [zone]);
  const times = useCallback((series: CallSeries) => timesChart(series, zone), [zone]);
  return (
    <>
      <ChartPanel
        title={text.figures.countsTitle}
        file="calls-by-status"
        asked={asked}
        chartOf={counts}
        summaryOf={(series) => countsSummary(series, zone)}
        nothingIn={nothingIn}
        zoom={zoom}
      />
      <ChartPanel
        title={text.figures.timesTitle}
        file="response-time"
        asked={asked}
        chartOf={times}
        summaryOf={timesSummary}
        nothingIn={nothingIn}
        zoom={zoom}
      />
    </>
  );
}

const nothingIn = ({ total }: CallSeries): string | undefined =>
  callsIn(total) === 0 ? text.figures.noCalls : undefined;

function countsChart({ points, bucket }: CallSeries, zone: Zone): ChartData {
  const bars = { shape: 'bars' } as const;
  return {
    ...timeAxis(points, bucket, zone),
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
    ],
  };
}

function timesChart({ points, bucket }: CallSeries, zone: Zone): ChartData {
  return {
    ...timeAxis(points, bucket, zone),
    showY: (seconds) => (seconds === 0 ? showNumber(0) : showDuration(seconds)),
    series: [
      { label: text.figures.p50, colour: '--hue-series', values: points.map(({ p50 }) => p50) },
      { label: text.figures.p95, colour: '--hue-nlp', values: points.map(({ p95 }) => p95) },
    ],
  };
}

function countsSummary({ points, total, bucket }: CallSeries, zone: Zone): string {
  const sizes = points.map(callsIn);
  const most = Math.max(0, ...sizes);
  const busiest = showPoint(points[sizes.indexOf(most)]!.at, bucket, zone);
  const sum = sizes.reduce((one, other) => one + other, 0);
  return text.figures.countsSummary(sum, sum - total.success, busiest, most);
}

function timesSummary({ total: { p50, p95 } }: CallSeries): string {
  return text.figures.timesSummary(showDuration(p50 ?? 0), showDuration(p95 ?? 0));
}
