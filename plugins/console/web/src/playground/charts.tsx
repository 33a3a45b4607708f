import { plainText } from '../parts/plain-text.ts';
import { showNumber, text } from '../texts/text.ts';
import type { PointsView, SeriesView } from './views.ts';

const WIDTH = 640;
const HEIGHT = 260;
const EDGE = { left: 54, right: 14, top: 14, bottom: 28 };
const COLOURS = ['series', 'ml', 'vision', 'nlp', 'audio', 'optimisation', 'graph', 'other'].map(
  (name) => `var(--hue-${name})`,
);
/** More cannot be told apart, and would freeze the page. */
const MOST = 2_000;

type Row = Record<string, unknown>;

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
              {showNumber(tick)}
            </text>
          </g>
        ))}
        {x.ticks.map((tick) => (
          <text key={tick} x={x.of(tick)} y={HEIGHT - 9} textAnchor="middle">
            {showNumber(tick)}
          </text>
        ))}
      </g>
      {children}
    </svg>
  );
}

export function SeriesChart({ rows, view }: { readonly rows: readonly Row[]; readonly view: SeriesView }) {
  const shown = rows.slice(0, MOST);
  const numbers = (name: string): number[] => shown.map((row) => Number(row[name]));
  const xs = numbers(view.x).map((value, i) => (Number.isFinite(value) ? value : i));
  const all = [...view.lines, ...(view.band ?? [])].flatMap(numbers).filter(Number.isFinite);
  if (all.length === 0) return null;
  const x = scaleOf(xs, EDGE.left, WIDTH - EDGE.right);
  const y = scaleOf(all, HEIGHT - EDGE.bottom, EDGE.top);
  const path = (ys: readonly number[], order = xs): string =>
    ys.map((value, i) => `${i ? 'L' : 'M'}${x.of(order[i]!).toFixed(1)} ${y.of(value).toFixed(1)}`).join('');
  const summary = view.lines.map((name) => {
    const finite = numbers(name).filter(Number.isFinite);
    return text.playground.seriesSummary(name, short(Math.min(...finite)), short(Math.max(...finite)));
  });
  const band =
    view.band &&
    `${path(numbers(view.band[1]))}${path(numbers(view.band[0]).toReversed(), xs.toReversed()).replace('M', 'L')}Z`;
  return (
    <>
      <Frame x={x} y={y} label={summary.join('; ')}>
        {band && <path d={band} fill={COLOURS[0]} opacity={0.16} />}
        {view.lines.map((name, i) => (
          <path
            key={name}
            d={path(numbers(name))}
            fill="none"
            stroke={COLOURS[i]}
            strokeWidth={2}
            strokeLinejoin="round"
          />
        ))}
        {view.mark &&
          shown.map(
            (row, i) =>
              row[view.mark!] === true && (
                <circle
                  key={i}
                  cx={x.of(xs[i]!)}
                  cy={y.of(Number(row[view.lines[0]!]))}
                  r={5}
                  fill="var(--bad)"
                />
              ),
          )}
      </Frame>
      <ul className="palette-list small quiet">
        {view.lines.map((name, i) => (
          <li key={name}>
            <span className="swatch" style={{ background: COLOURS[i] }} />
            {summary[i]}
          </li>
        ))}
      </ul>
    </>
  );
}

export function PointsChart({ rows, view }: { readonly rows: readonly Row[]; readonly view: PointsView }) {
  const points = rows
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
            {point.label && points.length <= 40 && (
              <text x={x.of(point.x) + 7} y={y.of(point.y) - 6} fontSize="11" fill="var(--ink-2)">
                {point.label}
              </text>
            )}
          </g>
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

function short(value: number): string {
  return showNumber(Number(value.toPrecision(4)));
}
