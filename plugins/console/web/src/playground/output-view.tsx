import type { ReactNode } from 'react';
import { plainText } from '../parts/plain-text.ts';
import { showNumber, text } from '../texts/text.ts';
import { isObject, type FieldSchema } from './fields.ts';
import { answeredPicture } from './pictures.ts';
import { PointsChart, SeriesChart } from './charts.tsx';
import { chooseView, type View } from './views.ts';

const ROWS = 100;

/** What an algorithm answered, each part shown by what it is. Everything is text or a drawing of our own: no markup runs. */
export function OutputView({ output, schema }: { readonly output: unknown; readonly schema: unknown }) {
  const root = isObject(schema) ? (schema as FieldSchema) : {};
  const whole = answeredPicture(output);
  if (whole) return <Picture url={whole} />;
  if (!isObject(output)) return <p className="prose">{plainText(output)}</p>;
  const entries = Object.entries(output).map(([name, value]) => {
    const own: FieldSchema = root.properties?.[name] ?? {};
    return { name, value, own, view: chooseView(value, own['x-view']) };
  });
  const scalars = entries.filter(({ view }) => view?.kind === 'scalar');
  const parts = entries.filter(({ view }) => view && view.kind !== 'scalar');
  return (
    <div className="stack">
      {scalars.length > 0 && (
        <dl className="scalars">
          {scalars.map(({ name, value, own }) => (
            <div key={name}>
              <dt>{own.title ?? wordsOf(name)}</dt>
              <dd>{showScalar(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {parts.map(({ name, value, own, view }) => (
        <section key={name} className="view">
          <h3>{own.title ?? wordsOf(name)}</h3>
          {drawn(view!, value)}
        </section>
      ))}
      {entries.length === 0 && <p className="quiet">{text.playground.noOutput}</p>}
    </div>
  );
}

function drawn(view: View, value: unknown): ReactNode {
  switch (view.kind) {
    case 'image':
      return <Picture url={answeredPicture(value)!} />;
    case 'text':
      return <p className="prose">{plainText(value).slice(0, 20_000)}</p>;
    case 'scores':
      return <Scores rows={rowsOf(value)} label={view.label} score={view.score} />;
    case 'palette':
      return <Palette rows={rowsOf(value)} colour={view.colour} share={view.share} />;
    case 'series':
      return (
        <>
          <SeriesChart rows={rowsOf(value)} view={view} />
          <AsTable rows={rowsOf(value)} />
        </>
      );
    case 'points':
      return (
        <>
          <PointsChart rows={rowsOf(value)} view={view} />
          <AsTable rows={rowsOf(value)} />
        </>
      );
    case 'table':
      return <Table rows={rowsOf(value)} />;
    case 'list':
      return <p className="prose mono">{(value as unknown[]).slice(0, 500).map(plainText).join(', ')}</p>;
    case 'facts':
      return (
        <dl className="scalars">
          {Object.entries(value as object).map(([name, each]) => (
            <div key={name}>
              <dt>{wordsOf(name)}</dt>
              <dd>{showScalar(each)}</dd>
            </div>
          ))}
        </dl>
      );
    case 'scalar':
      return <p>{showScalar(value)}</p>;
  }
}

type Row = Record<string, unknown>;

function rowsOf(value: unknown): readonly Row[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function Picture({ url }: { readonly url: string }) {
  return <img className="result-picture" src={url} alt={text.playground.resultImage} />;
}

function Scores({
  rows,
  label,
  score,
}: {
  readonly rows: readonly Row[];
  readonly label: string;
  readonly score: string;
}) {
  const largest = Math.max(...rows.map((row) => Math.abs(Number(row[score])) || 0), Number.EPSILON);
  const isShare = rows.every((row) => Number(row[score]) >= 0 && Number(row[score]) <= 1);
  return (
    <ul className="scores">
      {rows.slice(0, ROWS).map((row, i) => {
        const value = Number(row[score]);
        const width = (Math.abs(value) / (isShare ? Math.max(largest, 0.0001) : largest)) * 100;
        return (
          <li key={i}>
            <span>{plainText(row[label])}</span>
            <span className="bar">
              <i style={{ width: `${Math.min(100, width)}%` }} />
            </span>
            <span className="value">{showScalar(value)}</span>
          </li>
        );
      })}
    </ul>
  );
}

const COLOUR = /^#[0-9a-f]{6}$/i;

function Palette({
  rows,
  colour,
  share,
}: {
  readonly rows: readonly Row[];
  readonly colour: string;
  readonly share: string;
}) {
  const swatches = rows
    .map((row) => ({ colour: plainText(row[colour]), share: Number(row[share]) }))
    .filter((each) => COLOUR.test(each.colour));
  return (
    <>
      <div className="palette" aria-hidden="true">
        {swatches.map((each, i) => (
          <span key={i} style={{ background: each.colour, flexGrow: Math.max(each.share, 0.01) }} />
        ))}
      </div>
      <ul className="palette-list">
        {swatches.map((each, i) => (
          <li key={i}>
            <span className="swatch" style={{ background: each.colour }} />
            <code>{each.colour}</code>
            <span className="quiet small">{(each.share * 100).toFixed(1)} %</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function AsTable({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <details>
      <summary className="small">{text.playground.asTable}</summary>
      <Table rows={rows} />
    </details>
  );
}

function Table({ rows }: { readonly rows: readonly Row[] }) {
  const columns = [...new Set(rows.slice(0, ROWS).flatMap((row) => Object.keys(row)))].slice(0, 20);
  const isNumeric = (column: string): boolean =>
    rows.every((row) => row[column] === null || typeof row[column] === 'number');
  return (
    <div className="table-scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} className={isNumeric(column) ? 'number' : ''}>
                {wordsOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, ROWS).map((row, i) => (
            <tr key={i}>
              {columns.map((column) => (
                <td key={column} className={isNumeric(column) ? 'number' : ''}>
                  {showScalar(row[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > ROWS && <p className="small quiet">{text.playground.rows(ROWS, rows.length)}</p>}
    </div>
  );
}

function wordsOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function showScalar(value: unknown): string {
  if (typeof value === 'number') {
    return Number.isInteger(value) ? showNumber(value) : String(Number(value.toPrecision(4)));
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null || value === undefined) return '–';
  if (typeof value === 'string') return value.slice(0, 400);
  if (Array.isArray(value)) return value.slice(0, 20).map(showScalar).join(', ');
  return Object.entries(value)
    .slice(0, 20)
    .map(([name, each]) => `${name}: ${typeof each === 'object' ? '…' : showScalar(each)}`)
    .join(', ');
}
