import { lazy, Suspense, useState } from 'react';
import { part } from '../part.ts';
import { Skeleton } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import type { ChartData } from './chart-data.ts';

const Plot = lazy(() => part(() => import('./plot.tsx')));

/** More rows would freeze the page. */
const MOST_ROWS = 1_000;

/** A chart with what it says in words: a sentence, the values under the pointer, and all of them as a table. */
export function Chart({ data, summary }: { readonly data: ChartData; readonly summary: string }) {
  const [index, setIndex] = useState<number | null>(null);
  return (
    <figure className="chart-figure">
      <figcaption className="small quiet">{summary}</figcaption>
      <Suspense fallback={<Skeleton style={{ height: 'var(--chart-height)' }} />}>
        <Plot data={data} label={summary} onPoint={setIndex} />
      </Suspense>
      <Legend data={data} index={index !== null && index < data.x.length ? index : null} />
      <AsTable data={data} />
    </figure>
  );
}

function Legend({ data, index }: { readonly data: ChartData; readonly index: number | null }) {
  return (
    <ul className="chart-legend small" aria-hidden="true">
      <li className="at">{index === null ? '' : data.showX(data.x[index]!)}</li>
      {data.series.map(({ label, colour, values }) => (
        <li key={label}>
          <span className="swatch" style={{ background: `var(${colour})` }} />
          {label}
          <b>{index === null ? '' : shown(data, values[index])}</b>
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
