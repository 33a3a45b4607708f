import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { algorithmsQuery, meQuery } from '../api/queries.ts';
import { useIsOn } from '../pages/page-list.ts';
import { Empty } from '../parts/states.tsx';
import { docsUrl } from '../place.ts';
import { text } from '../texts/text.ts';
import { activeFilters, queryOf, unfiltered, type CatalogueSearch } from './catalogue-search.ts';
import { nameOf } from './filter-names.ts';

/** What to do where the list has nothing to show. */
export function Nothing({ search, total }: { readonly search: CatalogueSearch; readonly total: number }) {
  if (total > 0) {
    return (
      <Empty
        title={text.catalogue.beyondTitle}
        action={
          <Link to="/" search={{ ...search, page: undefined }} className="button">
            {text.catalogue.firstPage}
          </Link>
        }
      >
        {text.catalogue.beyond}
      </Empty>
    );
  }
  if (activeFilters(search).length > 0) return <NoMatch search={search} />;
  return <NoAlgorithms />;
}

function NoAlgorithms() {
  const { data: me } = useQuery(meQuery);
  const isOn = useIsOn();
  return (
    <Empty
      title={text.catalogue.emptyTitle}
      action={
        me?.role === 'admin' ? (
          <Link to="/administration/algorithms/new" className="button">
            {text.catalogue.emptyAdd}
          </Link>
        ) : (
          isOn('reference') && (
            <a className="button" href={docsUrl}>
              {text.catalogue.emptyAction}
            </a>
          )
        )
      }
    >
      {text.catalogue.empty}
    </Empty>
  );
}

/** Names the filters without which something is found, and how much. */
function NoMatch({ search }: { readonly search: CatalogueSearch }) {
  const filters = activeFilters(search);
  const found = useQueries({
    queries: filters.map(({ without }) =>
      algorithmsQuery({ ...queryOf(without), limit: 1, stats: false, facets: false }),
    ),
  });
  const helpful = filters.flatMap((filter, i) => {
    const total = found[i]?.data?.total ?? 0;
    return total > 0 ? [{ ...filter, total }] : [];
  });
  return (
    <Empty
      icon="search"
      title={text.catalogue.nothingTitle}
      action={
        <div className="row nothing-actions">
          {helpful.map(({ by, value, without, total }) => (
            <Link
              key={`${by} ${value}`}
              to="/"
              search={without}
              activeOptions={{ exact: true }}
              className="button"
            >
              {text.catalogue.without(nameOf(by, value), total)}
            </Link>
          ))}
          <Link to="/" search={unfiltered(search)} activeOptions={{ exact: true }} className="button plain">
            {text.catalogue.clearAll}
          </Link>
        </div>
      }
    >
      {helpful.length > 0 ? text.catalogue.nothing : text.catalogue.nothingAtAll}
    </Empty>
  );
}
