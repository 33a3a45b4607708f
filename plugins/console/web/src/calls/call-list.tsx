import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { historyQuery, type Call } from '../api/queries.ts';
import { Empty, Fault, Skeleton, ToCatalogue } from '../parts/states.tsx';
import { isCustom } from '../periods/period.ts';
import { PeriodPicker } from '../periods/period-picker.tsx';
import { showStatus, text } from '../texts/text.ts';
import { useAlgorithmNames } from './algorithm-names.ts';
import { CALL_RANGES, CALL_STATUSES, filtersOf, pageOf, type CallSearch } from './call-search.ts';
import { CallPanel } from './call-panel.tsx';
import { CallTable } from './call-table.tsx';
import { CompareBar } from './compare-bar.tsx';
import { ExportMenu } from './export-menu.tsx';

/** The calls of the account, filtered and by page, each of which opens beside the list. */
export function CallList({
  search,
  algorithm,
  change,
  children,
}: {
  readonly search: CallSearch;
  /** The algorithm whose calls are shown; all where it is absent. */
  readonly algorithm: string | undefined;
  readonly change: (part: CallSearch) => void;
  /** More filters. */
  readonly children?: ReactNode;
}) {
  const { data, error, refetch, isPlaceholderData } = useQuery(historyQuery(pageOf(search, algorithm)));
  const [chosen, setChosen] = useState<readonly Call[]>([]);
  const calls = data?.history ?? [];
  const names = useAlgorithmNames([...calls, ...chosen].map(({ algorithm_id }) => algorithm_id));
  const filter = (part: CallSearch): void => change({ ...part, cursor: undefined, open: undefined });
  const isFiltered = Boolean(search.status ?? search.range ?? search.cursor) || isCustom(search);
  return (
    <>
      <div className="row between">
        <div className="row call-filters">
          <select
            className="select"
            aria-label={text.history.status}
            value={search.status ?? ''}
            onChange={({ target }) => filter({ status: target.value || undefined })}
          >
            <option value="">{text.history.any}</option>
            {CALL_STATUSES.map((status) => (
              <option key={status} value={status}>
                {showStatus(status)}
              </option>
            ))}
          </select>
          {children}
          <PeriodPicker period={search} ranges={CALL_RANGES} change={filter} />
        </div>
        {calls.length > 0 && <ExportMenu filters={filtersOf(search, algorithm)} />}
      </div>
      {error && <Fault error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton style={{ height: 420, borderRadius: 14 }} />}
      {data && calls.length === 0 && (
        <Nothing
          isFiltered={isFiltered || algorithm !== undefined}
          clear={() => filter({ status: undefined, range: undefined, from: undefined, to: undefined })}
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
              names={algorithm === undefined ? names : undefined}
              chosen={chosen.map(({ id }) => id)}
              choose={(call, isChosen) =>
                // A third one takes the place of the first.
                setChosen(isChosen ? [...chosen.slice(-1), call] : chosen.filter(({ id }) => id !== call.id))
              }
              open={(id) => change({ open: id })}
            />
          </div>
          <nav className="pager" aria-label={text.catalogue.pages}>
            {search.cursor && (
              <button type="button" className="button" onClick={() => change({ cursor: undefined })}>
                {text.history.first}
              </button>
            )}
            {data.next_cursor && (
              <button type="button" className="button" onClick={() => change({ cursor: data.next_cursor! })}>
                {text.history.next}
              </button>
            )}
          </nav>
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

function Nothing({ isFiltered, clear }: { readonly isFiltered: boolean; readonly clear: () => void }) {
  return isFiltered ? (
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
  ) : (
    <Empty icon="clock" title={text.history.emptyTitle} action={<ToCatalogue />}>
      {text.history.empty}
    </Empty>
  );
}
