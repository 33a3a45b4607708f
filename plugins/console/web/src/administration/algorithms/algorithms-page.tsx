import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { algorithmsQuery, type Algorithm, type Facets } from '../../api/queries.ts';
import { STATUSES } from '../../catalogue/catalogue-search.ts';
import { StatusBadge, TypeBadge } from '../../parts/badge.tsx';
import { FilterSelect } from '../../parts/choice.tsx';
import { ListTable, type Column } from '../../parts/list-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Empty } from '../../parts/states.tsx';
import { useTitle } from '../../parts/title.ts';
import { adminText, showDate, showStatus, showType, text } from '../../texts/text.ts';
import type { AlgorithmsSearch } from '../addresses.ts';
import { ListOf } from '../list-of.tsx';
import { partOf } from '../queries.ts';
import { BulkBar } from './bulk/bulk-bar.tsx';
import { useSelection, type Selection } from './bulk/selection.ts';
import { StatusRunPanel } from './bulk/status-run-panel.tsx';

/** The algorithms of the catalogue, for those who change them. */
export function AlgorithmsPage() {
  const words = adminText.algorithms;
  useTitle(text.sections.algorithms);
  const search = useSearch({ from: '/administration/algorithms' });
  const navigate = useNavigate({ from: '/administration/algorithms' });
  const { page, ...filters } = search;
  const query = queryOf(search);
  const { data, ...state } = useQuery(algorithmsQuery(query));
  const selection = useSelection(JSON.stringify(filters));
  const filter = (part: AlgorithmsSearch, replace = false): void =>
    void navigate({
      search: (before) => ({ ...before, page: undefined, ...part }),
      replace,
      resetScroll: false,
    });
  const add = (
    <Link to="/administration/algorithms/new" className="button primary">
      {words.add}
    </Link>
  );
  return (
    <>
      <div className="row between">
        <div className="page-head">
          <h1>{text.sections.algorithms}</h1>
          <p className="quiet">{words.intro}</p>
        </div>
        {add}
      </div>
      <div className="list-filters">
        <SearchField q={search.q} label={words.search} change={(q) => filter({ q }, true)} />
        <FilterSelect
          label={text.catalogue.facets.type}
          any={words.anyType}
          options={optionsOf(data?.facets, 'types', search.type)}
          chosen={search.type}
          nameOf={showType}
          choose={(type) => filter({ type })}
        />
        <FilterSelect
          label={text.history.status}
          any={text.history.any}
          options={STATUSES}
          chosen={search.status}
          nameOf={showStatus}
          choose={(status) => filter({ status })}
        />
        <FilterSelect
          label={words.tag}
          any={words.anyTag}
          options={optionsOf(data?.facets, 'tags', search.tag)}
          chosen={search.tag}
          nameOf={(tag) => tag}
          choose={(tag) => filter({ tag })}
        />
      </div>
      <StatusRunPanel />
      <ListOf
        found={{ ...state, data: data && { rows: data.algorithms, total: data.total } }}
        count={words.count}
        empty={
          <Empty icon="box" title={words.emptyTitle} action={add}>
            {words.empty}
          </Empty>
        }
        isFiltered={Object.values(filters).some((each) => each !== undefined)}
        page={page}
      >
        {(rows) => (
          <div className="stack tight">
            {data && (
              <BulkBar selection={selection} rows={data.algorithms} total={data.total} query={query} />
            )}
            <ListTable
              label={text.sections.algorithms}
              columns={[selectionColumn(selection), ...columns()]}
              rows={rows}
              keyOf={({ id }) => id}
            />
          </div>
        )}
      </ListOf>
    </>
  );
}

function queryOf({ q, type, status, tag, page }: AlgorithmsSearch) {
  return {
    ...partOf(page),
    sort: '-updated_at' as const,
    facets: true,
    ...(q && { q }),
    ...(type && { type: [type] }),
    ...(status && { status: [status] }),
    ...(tag && { tags: [tag] }),
  };
}

/** What may be chosen; what is chosen is always among it. */
function optionsOf(facets: Facets | undefined, by: 'types' | 'tags', chosen: string | undefined): string[] {
  const names = facets?.[by].map(({ name }) => name) ?? [];
  return chosen === undefined || names.includes(chosen) ? names : [chosen, ...names];
}

function selectionColumn({ has, toggle, isAll }: Selection): Column<Algorithm> {
  return {
    label: adminText.bulk.column,
    kind: 'bare',
    cell: (algorithm) => (
      <input
        type="checkbox"
        aria-label={adminText.bulk.select(algorithm.name)}
        checked={has(algorithm.id)}
        disabled={isAll}
        onChange={() => toggle(algorithm)}
      />
    ),
  };
}

function columns(): readonly Column<Algorithm>[] {
  const words = text.catalogue.columns;
  return [
    {
      label: words.name,
      kind: 'main',
      cell: ({ id, name }) => (
        <Link to="/administration/algorithms/$algorithmId" params={{ algorithmId: id }}>
          {name}
        </Link>
      ),
    },
    { label: words.type, kind: 'bare', cell: ({ type }) => <TypeBadge type={type} /> },
    { label: words.status, kind: 'bare', cell: ({ status }) => <StatusBadge status={status} /> },
    { label: text.algorithm.access, cell: ({ access }) => text.algorithm.accesses[access] },
    { label: text.catalogue.facets.tags, kind: 'long', cell: ({ tags }) => tags.join(', ') },
    {
      label: adminText.algorithms.changed,
      cell: ({ updated_at }) => <Moment iso={updated_at} show={showDate} />,
    },
  ];
}
