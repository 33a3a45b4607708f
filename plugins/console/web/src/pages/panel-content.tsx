import { useMemo } from 'react';
import { text } from '../texts/text.ts';
import type { Grid } from '../views/grid.ts';
import { showValue } from '../views/numbers.ts';
import { SeriesView } from '../views/series-view.tsx';
import { TableView } from '../views/table-view.tsx';
import { useWords, type Panel } from './page-list.ts';
import { valueAt } from './pointer.ts';

interface ContentProps {
  readonly panel: Panel;
  /** What the operation of the panel answered. */
  readonly answer: unknown;
}

export function FigurePanel({ panel, answer }: ContentProps) {
  const value = valueAt(answer, panel.value ?? '');
  return (
    <p className="value">
      {showValue(value)}
      {panel.unit && value !== undefined && value !== null && <small> {panel.unit}</small>}
    </p>
  );
}

export function TablePanel({ panel, answer }: ContentProps) {
  const { grid, label } = useGrid(panel, answer, panel.columns ?? []);
  return grid ? <TableView grid={grid} label={label} /> : <Nothing />;
}

const X = '';

export function SeriesPanel({ panel, answer }: ContentProps) {
  const { grid } = useGrid(panel, answer, [
    { title: { en: X }, value: panel.x ?? '' },
    ...(panel.lines ?? []),
  ]);
  const view = useMemo(
    () => grid && { kind: 'series' as const, x: X, lines: grid.columns.filter((column) => column !== X) },
    [grid],
  );
  return grid && view ? <SeriesView grid={grid} view={view} /> : <Nothing />;
}

/** The rows of a panel as a table whose columns are named by their titles; none where there are no rows. */
function useGrid(panel: Panel, answer: unknown, columns: NonNullable<Panel['columns']>) {
  const words = useWords();
  const label = words(panel.title ?? {});
  const names = columns.map(({ title }) => words(title));
  const key = names.join('\n');
  const grid = useMemo((): Grid | undefined => {
    const rows = valueAt(answer, panel.rows ?? '');
    if (!Array.isArray(rows) || rows.length === 0) return undefined;
    const pointers = new Map(names.map((name, i) => [name, columns[i]!.value]));
    return {
      columns: names,
      count: rows.length,
      cell: (row, column) => valueAt(rows[row], pointers.get(column) ?? ''),
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the names change with the language alone
  }, [answer, panel, key]);
  return { grid, label };
}

function Nothing() {
  return <p className="quiet">{text.pages.empty}</p>;
}
