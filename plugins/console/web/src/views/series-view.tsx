import { useMemo } from 'react';
import { Chart } from '../charts/chart.tsx';
import type { ChartData, ChartSeries } from '../charts/chart-data.ts';
import { showDate, showMoment, showTime, text } from '../texts/text.ts';
import { isTime, type SeriesView as View } from './choose.ts';
import type { Grid } from './grid.ts';
import { shortNumber, wordsOf } from './numbers.ts';

const COLOURS = ['series', 'ml', 'vision', 'nlp', 'audio', 'optimisation', 'graph', 'other'];
/** More points than a screen has columns are thinned out. */
const MOST_POINTS = 4_000;
const DAY_SECONDS = 86_400;

/** Numbers over a count or the time. */
export function SeriesView({ grid, view }: { readonly grid: Grid; readonly view: View }) {
  const data = useMemo(() => chartOf(grid, view), [grid, view]);
  const summary = useMemo(() => summaryOf(data, view), [data, view]);
  return <Chart data={data} summary={summary} />;
}

function chartOf(grid: Grid, view: View): ChartData {
  const isTimed = view.x !== undefined && isTime(grid.cell(0, view.x));
  const xAt = (row: number): number => {
    const value = view.x === undefined ? row + 1 : grid.cell(row, view.x);
    if (isTimed) return Date.parse(String(value)) / 1000;
    return typeof value === 'number' ? value : row + 1;
  };
  const rows = thinned(orderOf(grid.count, xAt), (row) => numberAt(grid, row, view.lines[0]!));
  const column = (name: string) => rows.map((row) => numberAt(grid, row, name));
  const line = (name: string, i: number): ChartSeries => ({
    label: wordsOf(name),
    values: column(name),
    colour: `--hue-${COLOURS[i % COLOURS.length]!}`,
  });
  const series = view.lines.map(line);
  const { band, mark } = view;
  if (mark !== undefined) {
    const marked = rows.map((row) => grid.cell(row, mark) === true);
    const values = column(view.lines[0]!).map((value, i) => (marked[i] ? value : null));
    series.push({ label: wordsOf(mark), values, colour: '--bad', shape: 'points' });
  }
  if (band) {
    const edges = [band[1], band[0]].map((name) => ({ ...line(name, 0), label: wordsOf(name) }));
    series.push(...edges);
  }
  const x = rows.map(xAt);
  const isDaily = x.every((each) => each % DAY_SECONDS === 0);
  return {
    x,
    xLabel: view.x === undefined ? text.results.row : wordsOf(view.x),
    series,
    ...(isTimed && { time: 'utc' as const }),
    ...(band && { band: [series.length - 2, series.length - 1] as const }),
    showX: isTimed
      ? (at) => (isDaily ? showDate : showMoment)(new Date(at * 1000).toISOString())
      : shortNumber,
    // A whole moment at each tick would run into the next one on a phone.
    ...(isTimed && {
      showTick: (at: number, distance: number) =>
        (distance < DAY_SECONDS ? showTime : showDate)(new Date(at * 1000).toISOString()),
    }),
    showY: shortNumber,
  };
}

function numberAt(grid: Grid, row: number, column: string): number | null {
  const value = grid.cell(row, column);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The rows by what they are drawn over; those without it are left out. */
function orderOf(count: number, xAt: (row: number) => number): readonly number[] {
  const rows: number[] = [];
  let isAscending = true;
  let before = -Infinity;
  for (let row = 0; row < count; row += 1) {
    const x = xAt(row);
    if (!Number.isFinite(x)) continue;
    isAscending &&= x >= before;
    before = x;
    rows.push(row);
  }
  return isAscending ? rows : rows.sort((a, b) => xAt(a) - xAt(b));
}

/** Of each stretch the lowest and the highest row, so that no peak is lost. */
function thinned(rows: readonly number[], valueAt: (row: number) => number | null): readonly number[] {
  if (rows.length <= MOST_POINTS) return rows;
  const length = Math.ceil((rows.length * 2) / MOST_POINTS);
  const kept: number[] = [];
  for (let from = 0; from < rows.length; from += length) {
    let [low, high] = [from, from];
    for (let i = from; i < Math.min(from + length, rows.length); i += 1) {
      const value = valueAt(rows[i]!);
      if (value === null) continue;
      if (value < (valueAt(rows[low]!) ?? Infinity)) low = i;
      if (value > (valueAt(rows[high]!) ?? -Infinity)) high = i;
    }
    kept.push(rows[Math.min(low, high)]!);
    if (low !== high) kept.push(rows[Math.max(low, high)]!);
  }
  return kept;
}

function summaryOf(data: ChartData, view: View): string {
  return data.series
    .slice(0, view.lines.length)
    .map(({ label, values }) => {
      const numbers = values.filter((value) => value !== null);
      const low = numbers.reduce((least, each) => Math.min(least, each), Infinity);
      const high = numbers.reduce((most, each) => Math.max(most, each), -Infinity);
      return text.playground.seriesSummary(label, shortNumber(low), shortNumber(high));
    })
    .join('; ');
}
