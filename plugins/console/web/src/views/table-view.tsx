import { useMemo, useState } from 'react';
import { showNumber, text } from '../texts/text.ts';
import { isNumeric, type Grid } from './grid.ts';
import { showValue, wordsOf } from './numbers.ts';

const PAGE = 100;
/** Sorting more rows would freeze the page. */
const MOST_SORTED = 100_000;

interface Order {
  readonly column: string;
  readonly isDescending: boolean;
}

/** Rows and columns: sorted by any of the columns, a page of rows at a time. */
export function TableView({ grid, label }: { readonly grid: Grid; readonly label: string }) {
  const [order, setOrder] = useState<Order>();
  const [page, setPage] = useState(0);
  const numeric = useMemo(() => new Set(grid.columns.filter((column) => isNumeric(grid, column))), [grid]);
  const rows = useMemo(() => order && sorted(grid, order), [grid, order]);
  const from = page * PAGE;
  const to = Math.min(grid.count, from + PAGE);
  const canSort = grid.count <= MOST_SORTED;
  const sortBy = (column: string): void => {
    setPage(0);
    setOrder(
      order?.column === column
        ? { column, isDescending: !order.isDescending }
        : { column, isDescending: false },
    );
  };
  return (
    <div className="result-table">
      <div className="table-scroll" tabIndex={0} role="group" aria-label={label}>
        <table>
          <thead>
            <tr>
              {grid.columns.map((column) => (
                <th
                  key={column}
                  className={numeric.has(column) ? 'number' : ''}
                  aria-sort={sortOf(order, column)}
                >
                  {canSort ? (
                    <button type="button" onClick={() => sortBy(column)}>
                      {wordsOf(column)}
                      <span aria-hidden="true">{arrowOf(order, column)}</span>
                    </button>
                  ) : (
                    wordsOf(column)
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: to - from }, (_, i) => rows?.[from + i] ?? from + i).map((row) => (
              <tr key={row}>
                {grid.columns.map((column) => (
                  <td key={column} className={numeric.has(column) ? 'number' : ''}>
                    {showValue(grid.cell(row, column))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {grid.count > PAGE && (
        <div className="row between small">
          <span className="quiet" role="status">
            {text.results.rows(showNumber(from + 1), showNumber(to), showNumber(grid.count))}
          </span>
          <div className="row">
            <button
              type="button"
              className="button small"
              // Pressed on the way to the first or the last rows, it keeps the focus there.
              aria-disabled={page === 0}
              onClick={() => setPage(Math.max(0, page - 1))}
            >
              {text.catalogue.previous}
            </button>
            <button
              type="button"
              className="button small"
              aria-disabled={to === grid.count}
              onClick={() => to < grid.count && setPage(page + 1)}
            >
              {text.catalogue.next}
            </button>
          </div>
        </div>
      )}
    </div>
  );
}

function sortOf(order: Order | undefined, column: string): 'ascending' | 'descending' | undefined {
  if (order?.column !== column) return undefined;
  return order.isDescending ? 'descending' : 'ascending';
}

function arrowOf(order: Order | undefined, column: string): string {
  if (order?.column !== column) return '';
  return order.isDescending ? ' ↓' : ' ↑';
}

const words = new Intl.Collator(undefined, { numeric: true });

/** The rows by a column: numbers before words, what is missing last in both directions. */
function sorted(grid: Grid, { column, isDescending }: Order): readonly number[] {
  const values = Array.from({ length: grid.count }, (_, row) => grid.cell(row, column));
  const sign = isDescending ? -1 : 1;
  return values
    .map((value, row) => ({ row, value, rank: rankOf(value) }))
    .sort((a, b) => {
      if (a.rank === MISSING || b.rank === MISSING) return a.rank - b.rank || a.row - b.row;
      return sign * (a.rank - b.rank || compare(a.value, b.value)) || a.row - b.row;
    })
    .map(({ row }) => row);
}

const MISSING = 2;

function rankOf(value: unknown): number {
  if (value === null || value === undefined) return MISSING;
  return typeof value === 'number' ? 0 : 1;
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return words.compare(showValue(a), showValue(b));
}
