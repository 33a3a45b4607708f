import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Algorithm } from '../api/queries.ts';
import { CheckBadge } from '../checks/check-badge.tsx';
import { StatusBadge, TypeBadge } from '../parts/badge.tsx';
import { hueOf } from '../parts/hue.ts';
import { Skeleton } from '../parts/states.tsx';
import { Moment } from '../parts/moment.tsx';
import { showAgo, showNumber, text } from '../texts/text.ts';
import type { CatalogueSearch, Sort } from './catalogue-search.ts';
import { showSuccess, Sparkline } from './figures.tsx';

export function AlgorithmTable({
  algorithms,
  search,
}: {
  readonly algorithms: readonly Algorithm[];
  readonly search: CatalogueSearch;
}) {
  return (
    <Frame search={search}>
      {algorithms.map(({ id, name, type, description, status, check, stats, updated_at }) => (
        <tr key={id} className={`link ${hueOf(type)}`}>
          <th scope="row">
            <Link to="/algorithms/$algorithmId" params={{ algorithmId: id }}>
              {name}
            </Link>
            <p className="small quiet">{description}</p>
          </th>
          <td className="type-column">
            <TypeBadge type={type} />
          </td>
          <td className="status-column">
            <StatusBadge status={status} />
            {check && <CheckBadge check={check} />}
          </td>
          <td className="number">{stats && showNumber(stats.calls)}</td>
          <td className="number">{(stats && showSuccess(stats)) ?? '–'}</td>
          <td className="trend-column">{stats && stats.calls > 0 && <Sparkline days={stats.days} />}</td>
          <td className="changed-column">
            <Moment iso={updated_at} show={showAgo} />
          </td>
        </tr>
      ))}
    </Frame>
  );
}

/** Rows of the size that they will have. */
export function LoadingTable() {
  return (
    <Frame search={{}}>
      {Array.from({ length: 12 }, (_, i) => (
        <tr key={i} aria-busy="true">
          <td colSpan={7}>
            <Skeleton style={{ height: 18, width: `${40 + ((i * 37) % 50)}%` }} />
          </td>
        </tr>
      ))}
    </Frame>
  );
}

function Frame({ search, children }: { readonly search: CatalogueSearch; readonly children: ReactNode }) {
  const { columns } = text.catalogue;
  return (
    <div className="card">
      <table className="algorithms">
        <thead>
          <tr>
            <SortedColumn search={search} orders={['name', '-name']} label={columns.name} />
            <th className="type-column">{columns.type}</th>
            <th className="status-column">{columns.status}</th>
            <SortedColumn search={search} orders={['-calls', 'calls']} label={columns.calls} isNumber />
            <SortedColumn search={search} orders={['-success', 'success']} label={columns.success} isNumber />
            <th className="trend-column">{columns.trend}</th>
            <SortedColumn
              search={search}
              orders={['-updated_at', 'updated_at']}
              label={columns.changed}
              className="changed-column"
            />
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** A column by which the list is sorted when its name is pressed; pressed again, the other way round. */
function SortedColumn(props: {
  readonly search: CatalogueSearch;
  /** The order of the first press, and its opposite. */
  readonly orders: readonly [Sort, Sort];
  readonly label: string;
  readonly isNumber?: boolean;
  readonly className?: string;
}) {
  const { search, orders, label, isNumber = false, className = '' } = props;
  const { sort = 'name' } = search;
  const isSorted = orders.includes(sort);
  const isDown = sort.startsWith('-');
  return (
    <th
      className={isNumber ? `number ${className}` : className}
      aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : undefined}
    >
      <Link
        to="/"
        search={{ ...search, page: undefined, sort: sort === orders[0] ? orders[1] : orders[0] }}
        resetScroll={false}
        activeOptions={{ exact: true }}
        className="sort"
      >
        {label}
        <span aria-hidden="true">{isSorted ? (isDown ? '↓' : '↑') : ''}</span>
      </Link>
    </th>
  );
}
