import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { algorithmsQuery } from '../api/queries.ts';
import { RunsOffer, RunsPanel } from '../examples/run-all-panel.tsx';
import { Fault } from '../parts/states.tsx';
import { useTitle } from '../parts/title.ts';
import { text } from '../texts/text.ts';
import { ActiveFilters } from './active-filters.tsx';
import { Cards, LoadingCards } from './algorithm-cards.tsx';
import { AlgorithmTable, LoadingTable } from './algorithm-table.tsx';
import { queryOf, SIZES } from './catalogue-search.ts';
import { FacetGroups } from './facet-groups.tsx';
import { Nothing } from './nothing.tsx';
import { Pager } from './pager.tsx';
import { Setup } from './setup.tsx';
import { Toolbar } from './toolbar.tsx';

/** Which of how many are shown; on a page beyond the end, how many there are. */
function showCount(skipped: number, shown: number, total: number): string {
  return shown === 0
    ? text.catalogue.count(1, total, total)
    : text.catalogue.count(skipped + 1, skipped + shown, total);
}

export function CataloguePage() {
  useTitle(text.catalogue.title);
  const search = useSearch({ from: '/' });
  const { data, error, refetch, isPlaceholderData } = useQuery(algorithmsQuery(queryOf(search)));
  const isTable = search.view === 'table';
  const { page = 1, size = SIZES[0] } = search;
  return (
    <>
      <Setup />
      <RunsOffer />
      <RunsPanel />
      <div className="page-head">
        <h1>{text.catalogue.title}</h1>
        <p className="quiet">{text.catalogue.intro}</p>
      </div>
      <Toolbar search={search} facets={data?.facets} total={data?.total} />
      <div className="catalogue">
        <aside aria-label={text.catalogue.filters}>
          <FacetGroups search={search} facets={data?.facets} />
        </aside>
        <div className="stack results">
          <div className="row results-head">
            <p className="small quiet" role="status">
              {data && showCount((page - 1) * size, data.algorithms.length, data.total)}
            </p>
            <ActiveFilters search={search} />
          </div>
          {error && <Fault error={error} retry={() => void refetch()} />}
          {!data && !error && (isTable ? <LoadingTable /> : <LoadingCards />)}
          {data && data.algorithms.length === 0 && <Nothing search={search} total={data.total} />}
          {data && data.algorithms.length > 0 && (
            <div className={isPlaceholderData ? 'is-stale' : undefined}>
              {isTable ? (
                <AlgorithmTable algorithms={data.algorithms} search={search} />
              ) : (
                <Cards algorithms={data.algorithms} />
              )}
            </div>
          )}
          {data && <Pager search={search} total={data.total} />}
        </div>
      </div>
    </>
  );
}
