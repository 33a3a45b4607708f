import { plainText } from '../parts/plain-text.ts';
import { text } from '../texts/text.ts';
import type { PointsView as Points } from './choose.ts';
import { placeLabels } from './boxes.ts';
import { shortNumber } from './numbers.ts';
import { rowsOf } from './scores-view.tsx';

const WIDTH = 640;
const HEIGHT = 260;
const EDGE = { left: 54, right: 14, top: 14, bottom: 28 };
const COLOURS = ['series', 'ml', 'vision', 'nlp', 'audio', 'optimisation', 'graph', 'other'].map(
  (name) => `var(--hue-${name})`,
);
/** More cannot be told apart, and would freeze the page. */
const MOST = 2_000;

interface Scale {
  readonly of: (value: number) => number;
  readonly ticks: readonly number[];
}

function scaleOf(values: readonly number[], from: number, to: number): Scale {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = high - low || Math.abs(high) || 1;
  const start = high === low ? low - span / 2 : low;
  const step = niceStep(span / 4);
  const ticks: number[] = [];
  for (let tick = Math.ceil(start / step) * step; tick <= start + span * 1.0001; tick += step) {
    ticks.push(Number(tick.toPrecision(12)));
  }
  return { of: (value) => from + ((value - start) / span) * (to - from), ticks };
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
}

function Frame({
  x,
  y,
  label,
  children,
}: {
  readonly x: Scale;
  readonly y: Scale;
  readonly label: string;
  readonly children: React.ReactNode;
}) {
  return (
    <svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <g fill="var(--ink-2)" fontSize="11" stroke="none">
        {y.ticks.map((tick) => (
          <g key={tick}>
            <line
              x1={EDGE.left}
              x2={WIDTH - EDGE.right}
              y1={y.of(tick)}
              y2={y.of(tick)}
              stroke="var(--line)"
            />
            <text x={EDGE.left - 8} y={y.of(tick) + 4} textAnchor="end">
              {shortNumber(tick)}
            </text>
          </g>
        ))}
        {x.ticks.map((tick) => (
          <text key={tick} x={x.of(tick)} y={HEIGHT - 9} textAnchor="middle">
            {shortNumber(tick)}
          </text>
        ))}
      </g>
      {children}
    </svg>
  );
}

/** Points of two quantities, by group or along a path. */
export function PointsView({ value, view }: { readonly value: unknown; readonly view: Points }) {
  const points = rowsOf(value)
    .slice(0, MOST)
    .map((row) => ({
      x: Number(row[view.x]),
      y: Number(row[view.y]),
      label: view.label && plainText(row[view.label]),
      group: view.group ? plainText(row[view.group]) : '',
    }))
    .filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
  if (points.length === 0) return null;
  const x = scaleOf(
    points.map((point) => point.x),
    EDGE.left + 10,
    WIDTH - EDGE.right - 10,
  );
  const y = scaleOf(
    points.map((point) => point.y),
    HEIGHT - EDGE.bottom - 8,
    EDGE.top + 8,
  );
  const labels = labelsOf(
    points.map((point) => ({ label: point.label ?? '', x: x.of(point.x), y: y.of(point.y) })),
  );
  const groups = [...new Set(points.map(({ group }) => group))];
  const path = points
    .map((point, i) => `${i ? 'L' : 'M'}${x.of(point.x).toFixed(1)} ${y.of(point.y).toFixed(1)}`)
    .join('');
  return (
    <>
      <Frame x={x} y={y} label={`${view.x}, ${view.y}: ${text.playground.items(points.length)}`}>
        {view.path && (
          <path
            d={view.path === 'closed' ? `${path}Z` : path}
            fill="none"
            stroke={COLOURS[0]}
            strokeWidth={1.8}
          />
        )}
        {points.map((point, i) => (
          <g key={i}>
            <circle
              cx={x.of(point.x)}
              cy={y.of(point.y)}
              r={4}
              fill={COLOURS[groups.indexOf(point.group) % COLOURS.length]}
            />
          </g>
        ))}
        {labels.map((spot, i) => (
          <text key={i} x={spot.x + 4} y={spot.y + 11} fontSize="11" fill="var(--ink-2)">
            {spot.label}
          </text>
        ))}
      </Frame>
      {groups.length > 1 && (
        <ul className="palette-list small quiet">
          {groups.slice(0, 20).map((group, i) => (
            <li key={group}>
              <span className="swatch" style={{ background: COLOURS[i % COLOURS.length] }} />
              {group}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** More labels than this hide the points. */
const MOST_LABELS = 60;
const LETTER = 6.4;

interface LabelledPoint {
  readonly label: string;
  readonly x: number;
  readonly y: number;
}

function labelsOf(points: readonly LabelledPoint[]): readonly LabelledPoint[] {
  if (points.length > MOST_LABELS) return [];
  // A closed path ends with the point with which it begins.
  const keys = points.map(({ label, x, y }) => `${label} ${x} ${y}`);
  const named = points.filter((_, i) => keys.indexOf(keys[i]!) === i);
  const short = named.map(({ label }) => (label.length > 24 ? `${label.slice(0, 23)}…` : label));
  const spots = placeLabels(
    named.map((point) => ({ x: point.x + 3, y: point.y - 4, width: 1, height: 8 })),
    short.map((label) => ({ width: label.length * LETTER + 8, height: 15 })),
    { width: WIDTH, height: HEIGHT - EDGE.bottom },
  );
  return spots.flatMap((spot, i) => (spot && short[i] !== '' ? [{ ...spot, label: short[i]! }] : []));
}
