import { useNavigate } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { keepFocus } from '../parts/focus.ts';
import { NumberedPager } from '../parts/numbered-pager.tsx';
import { Empty, Fault } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { PAGE_SIZE, type Page } from './queries.ts';

/** A list that is being asked for. */
interface Found<T> {
  readonly data: Page<T> | undefined;
  readonly error: unknown;
  readonly isPlaceholderData: boolean;
  readonly refetch: () => unknown;
}

/**
 * A page of a list whose filters and page are in the address, with how many entries there are, the way to its other pages,
 * and what to do where there are none.
 */
export function ListOf<T>(props: {
  readonly found: Found<T>;
  readonly count: (total: number) => string;
  /** What is shown where there is nothing at all. */
  readonly empty: ReactNode;
  readonly isFiltered: boolean;
  /** The page that the address names. */
  readonly page?: number | undefined;
  /** The way to other pages, where they have no numbers. */
  readonly pager?: ReactNode;
  /** Shows the entries; they are absent while they are loaded. */
  readonly children: (rows: readonly T[] | undefined) => ReactNode;
}) {
  const { found, count, empty, isFiltered, page = 1, pager, children } = props;
  const { data, error, isPlaceholderData, refetch } = found;
  const navigate = useNavigate();
  const clear = () => void navigate({ to: '.', search: {} });
  const turn = (to: number | undefined): void =>
    void navigate({ to: '.', search: (before) => ({ ...before, page: to }) });
  if (error) return <Fault error={error} retry={() => void refetch()} />;
  if (data?.rows.length === 0) {
    return data.total > 0 || isFiltered ? <Nothing isBeyond={data.total > 0} clear={clear} /> : empty;
  }
  return (
    <>
      <p className="small quiet" role="status">
        {data && count(data.total)}
      </p>
      <div className={isPlaceholderData ? 'is-stale' : undefined}>{children(data?.rows)}</div>
      {data && (pager ?? <NumberedPager page={page} pages={Math.ceil(data.total / PAGE_SIZE)} go={turn} />)}
    </>
  );
}

function Nothing({ isBeyond, clear }: { readonly isBeyond: boolean; readonly clear: () => void }) {
  useEffect(() => keepFocus, []);
  return (
    <Empty
      icon="search"
      title={isBeyond ? text.catalogue.beyondTitle : text.catalogue.nothingTitle}
      action={
        <button type="button" className="button" onClick={clear}>
          {isBeyond ? text.catalogue.firstPage : text.history.clear}
        </button>
      }
    >
      {isBeyond ? text.catalogue.beyond : text.history.nothing}
    </Empty>
  );
}
