import type { ReactNode } from 'react';
import { csvOf, type CsvCell } from '../charts/csv.ts';
import { Fault, Skeleton } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { download } from '../views/download.ts';

/** Where the figures of a panel come from. */
export interface Asked<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly isPlaceholderData: boolean;
  readonly refetch: () => unknown;
}

/** The rows of a panel, as it is saved. */
export interface FileRows {
  readonly head: readonly string[];
  readonly rows: readonly (readonly CsvCell[])[];
}

/** What a panel says where it has nothing to show. */
export function Nothing({ children }: { readonly children: string }) {
  return <p className="nothing quiet">{children}</p>;
}

/** Figures with their title: while they are loaded, when they cannot be, and as a file. Its fault is its own. */
export function FigurePanel<T>(props: {
  readonly title: string;
  /** The name of the file, without its extension. */
  readonly file: string;
  readonly asked: Asked<T>;
  readonly rowsOf: (data: T) => FileRows;
  readonly children: (data: T) => ReactNode;
}) {
  const { title, file, asked, rowsOf, children } = props;
  const { data, error, isPlaceholderData, refetch } = asked;
  const save = (loaded: T): void => {
    const { head, rows } = rowsOf(loaded);
    download(`${file}.csv`, csvOf(head, rows), 'text/csv;charset=utf-8');
  };
  return (
    <section className="card figure-panel">
      <header>
        <h2>{title}</h2>
        {data !== undefined && (
          <button
            type="button"
            className="button small"
            aria-label={text.charts.saveCsv(title)}
            onClick={() => save(data)}
          >
            CSV
          </button>
        )}
      </header>
      <div className={isPlaceholderData ? 'body is-stale' : 'body'} aria-busy={data === undefined && !error}>
        {error && <Fault error={error} retry={() => void refetch()} />}
        {data === undefined && !error && <Skeleton style={{ height: 352 }} />}
        {data !== undefined && children(data)}
      </div>
    </section>
  );
}
