import { lazy, Suspense, useState } from 'react';
import { part } from '../part.ts';
import { Skeleton } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import type { ChartData } from './chart-data.ts';

const Plot = lazy(() => part(() => import('./plot.tsx')));

/** More rows would freeze the page. */
const MOST_ROWS = 1_000;

/** A chart with what it says in words: a sentence, the values under the pointer, and all of them as a table. */
export function Chart({
  data,
  summary,
  onSelect,
}: {
  readonly data: ChartData;
  readonly summary: string;
  /** Is told where a part begins and ends that was chosen by dragging; without it one cannot. */
  readonly onSelect?: (from: number, to: number) => void;
}) {
  const [index, setIndex] = useState<number | null>(null);
  return (
    <figure className="chart-figure">
      <figcaption className="small quiet">{summary}</figcaption>
      <Suspense fallback={<Skeleton style={{ height: 'var(--chart-height)' }} />}>
        <Plot data={data} label={summary} onPoint={setIndex} onSelect={onSelect} />
      </Suspense>
      <Legend data={data} index={index !== null && index < data.x.length ? index : null} />
      <AsTable data={data} />
    </figure>
  );
}

/** The entries of the legend: the two edges of an area are one. */
function entriesOf({ series, band }: ChartData) {
  const lines = series
    .filter((_, i) => !band?.includes(i))
    .map((line) => ({ ...line, isArea: false, edges: [line] }));
  if (!band) return lines;
  const [upper, lower] = [series[band[0]]!, series[band[1]]!];
  const area = { ...upper, label: `${lower.label} – ${upper.label}`, isArea: true, edges: [lower, upper] };
  return [...lines, area];
}

function Legend({ data, index }: { readonly data: ChartData; readonly index: number | null }) {
  return (
    <ul className="chart-legend small" aria-hidden="true">
      <li className="at">{index === null ? '' : data.showX(data.x[index]!)}</li>
      {entriesOf(data).map(({ label, colour, isArea, edges }) => (
        <li key={label}>
          <span className={isArea ? 'swatch band' : 'swatch'} style={{ background: `var(${colour})` }} />
          {label}
          <b>{index === null ? '' : edges.map(({ values }) => shown(data, values[index])).join(' – ')}</b>
        </li>
      ))}
    </ul>
  );
}

function AsTable({ data }: { readonly data: ChartData }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="small">{text.charts.asTable}</summary>
      {isOpen && (
        <div className="table-scroll chart-table" tabIndex={0} role="region" aria-label={text.charts.asTable}>
          <table>
            <thead>
              <tr>
                <th>{data.xLabel}</th>
                {data.series.map(({ label }) => (
                  <th key={label} className="number">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.x.slice(0, MOST_ROWS).map((x, row) => (
                <tr key={row}>
                  <td>{data.showX(x)}</td>
                  {data.series.map(({ label, values }) => (
                    <td key={label} className="number">
                      {shown(data, values[row])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}

function shown({ showY }: ChartData, value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : showY(value);
}
