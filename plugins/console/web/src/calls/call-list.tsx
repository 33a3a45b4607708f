import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { historyQuery, type Call } from '../api/queries.ts';
import { NoCallsYet } from '../examples/run-all-panel.tsx';
import { CursorPager } from '../parts/cursor-pager.tsx';
import { ExportMenu } from '../parts/export-menu.tsx';
import { Empty, Fault, Skeleton, ToCatalogue } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { useAlgorithmNames } from './algorithm-names.ts';
import { CallFilters } from './call-filters.tsx';
import { filtersOf, isFiltered, pageOf, type CallSearch } from './call-search.ts';
import { CallPanel } from './call-panel.tsx';
import { CallTable } from './call-table.tsx';
import { CompareBar } from './compare-bar.tsx';

interface CallListProps {
  readonly search: CallSearch;
  /** The algorithm whose calls are shown; all where it is absent. */
  readonly algorithm: string | undefined;
  /** Whether the list can also be of other algorithms, so that each call names its own. */
  readonly namesAlgorithms: boolean;
  readonly change: (part: CallSearch) => void;
  /** Takes all filters away. */
  readonly clear: () => void;
  /** More filters. */
  readonly children?: ReactNode;
}

/** The calls of the account, filtered and by page, each of which opens beside the list. */
export function CallList({ search, algorithm, namesAlgorithms, change, clear, children }: CallListProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(historyQuery(pageOf(search, algorithm)));
  const [chosen, setChosen] = useState<readonly Call[]>([]);
  const calls = data?.history ?? [];
  const names = useAlgorithmNames([...calls, ...chosen].map(({ algorithm_id }) => algorithm_id));
  const filter = (part: CallSearch): void => change({ ...part, cursor: undefined, open: undefined });
  return (
    <>
      <div className="row between">
        <CallFilters search={search} change={filter}>
          {children}
        </CallFilters>
        {calls.length > 0 && <ExportMenu path="/history/export" filters={filtersOf(search, algorithm)} />}
      </div>
      {error && <Fault error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton style={{ height: 420, borderRadius: 14 }} />}
      {data && calls.length === 0 && (
        <Nothing
          isFiltered={isFiltered(search) || (namesAlgorithms && algorithm !== undefined)}
          isOfAll={namesAlgorithms}
          clear={clear}
        />
      )}
      {data && calls.length > 0 && (
        <>
          <p className="small quiet" role="status">
            {text.history.count(data.total)}
          </p>
          <div
            className={isPlaceholderData ? 'card table-scroll history is-stale' : 'card table-scroll history'}
          >
            <CallTable
              calls={calls}
              names={namesAlgorithms ? names : undefined}
              chosen={chosen.map(({ id }) => id)}
              choose={(call, isChosen) =>
                // A third one takes the place of the first.
                setChosen(isChosen ? [...chosen.slice(-1), call] : chosen.filter(({ id }) => id !== call.id))
              }
              open={(id) => change({ open: id })}
            />
          </div>
          <CursorPager cursor={search.cursor} next={data.next_cursor} go={(cursor) => change({ cursor })} />
        </>
      )}
      {chosen.length > 0 && <CompareBar chosen={chosen} names={names} clear={() => setChosen([])} />}
      {search.open !== undefined && (
        <CallPanel
          callId={search.open}
          ids={calls.map(({ id }) => id)}
          open={(id) => change({ open: id })}
          close={() => change({ open: undefined })}
        />
      )}
    </>
  );
}

function Nothing({
  isFiltered: isPart,
  isOfAll,
  clear,
}: {
  readonly isFiltered: boolean;
  readonly isOfAll: boolean;
  readonly clear: () => void;
}) {
  if (isPart) {
    return (
      <Empty
        icon="search"
        title={text.history.nothingTitle}
        action={
          <button type="button" className="button" onClick={clear}>
            {text.history.clear}
          </button>
        }
      >
        {text.history.nothing}
      </Empty>
    );
  }
  if (isOfAll) return <NoCallsYet>{text.history.empty}</NoCallsYet>;
  return (
    <Empty icon="clock" title={text.history.emptyTitle} action={<ToCatalogue />}>
      {text.history.empty}
    </Empty>
  );
}
