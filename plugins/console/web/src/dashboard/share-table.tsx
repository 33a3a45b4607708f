import type { ReactNode } from 'react';
import { showDuration, showNumber, showPercent, text } from '../texts/text.ts';
import type { FileRows } from './figure-panel.tsx';

/** The calls of one of several: an account, an algorithm. */
export interface ShareRow {
  readonly id: string;
  readonly name: string;
  readonly calls: number;
  /** From 0 to 1. */
  readonly succeeded: number;
  /** In seconds. */
  readonly mean: number;
}

/** Who or what has which share of the calls, the largest first. */
export function ShareTable(props: {
  /** What a row is about. */
  readonly of: string;
  readonly rows: readonly ShareRow[];
  readonly nameOf: (row: ShareRow) => ReactNode;
}) {
  const { of, rows, nameOf } = props;
  const most = Math.max(...rows.map(({ calls }) => calls));
  return (
    <div className="table-scroll by-share" tabIndex={0} role="region" aria-label={of}>
      <table>
        <thead>
          <tr>
            <th>{of}</th>
            <th className="number">{text.figures.calls}</th>
            <th className="share-bar" aria-hidden="true" />
            <th className="number">{text.figures.succeeded}</th>
            <th className="number">{text.figures.mean}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>{nameOf(row)}</td>
              <td className="number">{showNumber(row.calls)}</td>
              <td className="share-bar" aria-hidden="true">
                <i style={{ width: `${(100 * row.calls) / most}%` }} />
              </td>
              <td className="number">{showPercent(row.succeeded)}</td>
              <td className="number">{showDuration(row.mean)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The table as a file. */
export function shareRows(of: string, rows: readonly ShareRow[]): FileRows {
  const { calls, succeeded, mean } = text.figures;
  return {
    head: [of, 'ID', calls, succeeded, mean],
    rows: rows.map((row) => [row.name, row.id, row.calls, row.succeeded, row.mean]),
  };
}
