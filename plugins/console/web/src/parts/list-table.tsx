import { useCallback, useEffect, useRef, type ReactNode } from 'react';
import { Skeleton } from './states.tsx';

/** A column of a list. */
export interface Column<T> {
  readonly label: string;
  readonly cell: (row: T) => ReactNode;
  /**
   * `main` says what the row is of, and leads its card on a phone, where `bare` needs no label. Only `main` and `long`
   * break within words.
   */
  readonly kind?: 'main' | 'long' | 'number' | 'actions' | 'bare';
}

const LOADING_ROWS = 8;

/**
 * A list in columns, whose head stays in sight; on a phone each row is a card. The rows are absent while they are loaded.
 */
export function ListTable<T>(props: {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[] | undefined;
  readonly keyOf: (row: T) => string;
  readonly className?: string;
}) {
  const { label, columns, rows, keyOf, className = '' } = props;
  const list = useRef<HTMLDivElement>(null);
  useFocusKept(list, rows);
  return (
    <div ref={list} className={`card list-table ${className}`} tabIndex={-1}>
      <table aria-label={label} aria-busy={!rows}>
        <thead>
          <tr>
            {columns.map(({ label: name, kind }) => (
              <th key={name} scope="col" className={kind}>
                {kind === 'actions' ? <span className="visually-hidden">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows?.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <Cell key={column.label} column={column} row={row} />
              ))}
            </tr>
          ))}
          {!rows && <LoadingRows columns={columns.length} />}
        </tbody>
      </table>
    </div>
  );
}

/** A row that goes away takes a button with it that has the focus; then the list has it, or what is around the list. */
function useFocusKept(list: { readonly current: HTMLElement | null }, rows: unknown): void {
  const isFocused = useRef(false);
  const keep = useCallback((element: HTMLElement | null | undefined): void => {
    if (isFocused.current && document.activeElement === document.body)
      element?.focus({ preventScroll: true });
  }, []);
  useEffect(() => keep(list.current), [list, rows, keep]);
  useEffect(() => {
    const element = list.current;
    const around = element?.closest('main');
    // By the browser itself: React does not tell of the focus that a dialog gives back when it goes away.
    const enter = (): void => void (isFocused.current = true);
    const leave = (event: FocusEvent): void => void (isFocused.current = event.relatedTarget === null);
    element?.addEventListener('focusin', enter);
    element?.addEventListener('focusout', leave);
    return () => {
      element?.removeEventListener('focusin', enter);
      element?.removeEventListener('focusout', leave);
      keep(around);
    };
  }, [list, keep]);
}

function Cell<T>({ column, row }: { readonly column: Column<T>; readonly row: T }) {
  const { label, cell, kind } = column;
  const isLabelled = kind === undefined || kind === 'long' || kind === 'number';
  return (
    <td className={kind} data-label={isLabelled ? label : undefined}>
      {kind === 'actions' ? <div className="row">{cell(row)}</div> : cell(row)}
    </td>
  );
}

function LoadingRows({ columns }: { readonly columns: number }) {
  return Array.from({ length: LOADING_ROWS }, (_, i) => (
    <tr key={i}>
      <td colSpan={columns}>
        <Skeleton style={{ height: 18, width: `${40 + ((i * 37) % 50)}%` }} />
      </td>
    </tr>
  ));
}
