import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has no name
import 'uplot/dist/uPlot.min.css';
import { useTheme } from '../theme.ts';
import type { ChartData, ChartSeries } from './chart-data.ts';

type Select = (from: number, to: number) => void;

/** Shorter ones are clicks. */
const SHORTEST_DRAG = 8;

/** The canvas of a chart. Its module has the library that draws, so it is loaded when the first chart is shown. */
export default function Plot({
  data,
  label,
  onPoint,
  onSelect,
}: {
  readonly data: ChartData;
  readonly label: string;
  /** Is told the index of the values under the pointer, and `null` when it leaves. */
  readonly onPoint: (index: number | null) => void;
  readonly onSelect?: Select | undefined;
}) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(data);
  const drawn = useRef<{ readonly plot: UPlot; data: ChartData }>(undefined);
  const theme = useTheme();
  const form = formOf(data);
  useEffect(() => {
    latest.current = data;
  }, [data]);
  useEffect(() => {
    const element = place.current!;
    const size = () => ({ width: element.clientWidth, height: element.clientHeight });
    const options = optionsOf(() => latest.current, onPoint, onSelect);
    const plot = new UPlot({ ...options, ...size() }, valuesOf(latest.current), element);
    drawn.current = { plot, data: latest.current };
    const resized = new ResizeObserver(() => plot.setSize(size()));
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
    // A canvas keeps the colours that it was drawn with.
  }, [form, onPoint, onSelect, theme]);
  useEffect(() => {
    // New values of the same lines leave the pointer, and what is being chosen, where they are.
    if (!drawn.current || drawn.current.data === data) return;
    drawn.current.data = data;
    drawn.current.plot.setData(valuesOf(data));
  }, [data]);
  return <div ref={place} className="plot" role="img" aria-label={label} />;
}

/** What a chart is drawn anew for; other values are put in their places. */
function formOf(data: ChartData): string {
  const { series, band, time, fromZero } = data;
  const lines = series.map(({ label, colour, shape }) => [label, colour, shape]);
  return JSON.stringify([lines, band, time, fromZero, isWhole(data)]);
}

/** The series in the order in which they are drawn: of bars on each other, the whole height comes first. */
function drawnSeries({ series }: ChartData): readonly ChartSeries[] {
  const bars = series.filter(({ shape }) => shape === 'bars');
  const heights = bars.map((bar, count) => ({
    ...bar,
    values: bar.values.map((_, i) =>
      bars.slice(0, count + 1).reduce((sum, each) => sum + (each.values[i] ?? 0), 0),
    ),
  }));
  return [...heights.toReversed(), ...series.filter(({ shape }) => shape !== 'bars')];
}

function valuesOf(data: ChartData): UPlot.AlignedData {
  return [[...data.x], ...drawnSeries(data).map(({ values }) => [...values])];
}

function optionsOf(
  latest: () => ChartData,
  onPoint: (index: number | null) => void,
  onSelect: Select | undefined,
): Omit<UPlot.Options, 'width' | 'height'> {
  const styles = getComputedStyle(document.documentElement);
  const colour = (name: string): string => styles.getPropertyValue(name).trim();
  const font = `12px ${styles.getPropertyValue('--font')}`;
  const axis = { stroke: colour('--ink-2'), font, ticks: { show: false } };
  const data = latest();
  const { time } = data;
  const drawn = drawnSeries(data);
  const showTick = (value: number, distance: number): string => {
    const { showX, showTick: show = showX } = latest();
    return show(value, distance);
  };
  return {
    legend: { show: false },
    padding: [12, 12, 0, 0],
    cursor: { drag: { x: onSelect !== undefined, y: false, setScale: false, dist: SHORTEST_DRAG }, y: false },
    hooks: {
      setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)],
      ...(onSelect && { setSelect: [(plot) => selected(plot, latest(), onSelect)] }),
    },
    scales: {
      x: { time: time !== undefined, range: (_, low, high) => widened(latest(), low, high) },
      y: { range: (_, low, high) => heightOf(latest(), low, high) },
    },
    ...(time === 'utc' && { tzDate: (seconds: number) => UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') }),
    axes: [
      {
        ...axis,
        space: 84,
        // Low enough that the first label is clear of the lowest one of the other axis.
        size: 40,
        gap: 11,
        grid: { show: false },
        values: (_, splits, __, ___, distance) => splits.map((value) => showTick(value, distance)),
      },
      {
        ...axis,
        size: (_, values) => 18 + 7 * Math.max(3, ...(values ?? []).map((value) => value.length)),
        grid: { stroke: colour('--line'), width: 1 },
        values: (_, splits) => splits.map(latest().showY),
        ...(isWhole(data) && { incrs: WHOLE_STEPS }),
      },
    ],
    series: [
      {},
      ...drawn.map(({ colour: name, shape = 'line' }, i) => ({
        stroke: colour(name),
        // The edges of an area have no line of their own.
        width: shape === 'line' && !data.band?.includes(i) ? 2 : 0,
        points:
          shape === 'points'
            ? { show: true, size: 9, fill: colour(name) }
            : {
                show: true,
                size: 6,
                fill: colour(name),
                filter: () => alone(drawnSeries(latest())[i]!.values),
              },
        ...(shape === 'bars' && {
          fill: colour(name),
          paths: UPlot.paths.bars!({ size: [0.72, 48], radius: 0.12 }),
          points: { show: false },
        }),
        ...(shape === 'points' && { paths: () => null }),
      })),
    ],
    ...(data.band && {
      bands: [
        {
          // Series 0 is `x`.
          series: [data.band[0] + 1, data.band[1] + 1] as [number, number],
          // The colours are of six digits, and two more say how opaque they are.
          fill: `${colour(drawn[data.band[0]]!.colour)}29`,
        },
      ],
    }),
  };
}

/** Tells which values were chosen: those under the pointer on its way, or the one that is closest. */
function selected(plot: UPlot, { x, step = 0 }: ChartData, onSelect: Select): void {
  const { left, width } = plot.select;
  if (width === 0) return;
  const [first, last] = [plot.posToIdx(left), plot.posToIdx(left + width)];
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  onSelect(x[first]!, x[last]! + step);
}

/** Steps of an axis, so that one of counts does not name halves. */
const WHOLE_STEPS = Array.from({ length: 16 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat();

function isWhole({ series }: ChartData): boolean {
  return series.every(({ values }) => values.every((value) => Number.isInteger(value ?? 0)));
}

/** Half a step on both sides, so that the first and the last bar are whole; a single value stands in the middle. */
function widened({ x, series }: ChartData, low: number, high: number): UPlot.Range.MinMax {
  const steps = Math.max(1, x.length - 1);
  const step = (high - low) / steps || 1;
  const isWide = x.length === 1 || series.some(({ shape }) => shape === 'bars');
  return isWide ? [low - step / 2, high + step / 2] : [low, high];
}

function heightOf(
  { fromZero = false }: ChartData,
  low: number | null,
  high: number | null,
): UPlot.Range.MinMax {
  if (low === null || high === null) return [0, 1];
  const range = UPlot.rangeNum(
    fromZero ? 0 : low,
    high === low ? high + (Math.abs(high) || 1) : high,
    0.1,
    true,
  );
  return fromZero ? [0, range[1] ?? 1] : range;
}

/** The values between gaps, which no line goes through. */
function alone(values: readonly (number | null)[]): number[] {
  const isGap = (index: number): boolean => (values[index] ?? null) === null;
  return [...values.keys()].filter((i) => !isGap(i) && isGap(i - 1) && isGap(i + 1));
}
