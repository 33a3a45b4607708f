import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ListTable, type Column } from '../../parts/list-table.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Empty } from '../../parts/states.tsx';
import { useTitle } from '../../parts/title.ts';
import { adminText, showDate, showNumber, text } from '../../texts/text.ts';
import { ListOf } from '../list-of.tsx';
import { groupsQuery, partOf, type Group } from '../queries.ts';
import { NewGroup } from './group-dialogs.tsx';

/** The groups of accounts. */
export function GroupsPage() {
  const words = adminText.groups;
  useTitle(text.sections.groups);
  const { q, page } = useSearch({ from: '/administration/groups' });
  const navigate = useNavigate({ from: '/administration/groups' });
  const [isAdding, setAdding] = useState(false);
  const found = useQuery(groupsQuery({ ...(q && { q }), ...partOf(page) }));
  const add = (
    <button type="button" className="button primary" onClick={() => setAdding(true)}>
      {words.add}
    </button>
  );
  return (
    <>
      <div className="row between">
        <div className="page-head">
          <h1>{text.sections.groups}</h1>
          <p className="quiet">{words.intro}</p>
        </div>
        {add}
      </div>
      <div className="list-filters">
        <SearchField
          q={q}
          label={words.search}
          change={(wanted) => void navigate({ search: { q: wanted }, replace: true, resetScroll: false })}
        />
      </div>
      <ListOf
        found={found}
        count={words.count}
        empty={
          <Empty icon="users" title={words.emptyTitle}>
            {words.empty}
          </Empty>
        }
        isFiltered={q !== undefined}
        page={page}
      >
        {(rows) => (
          <ListTable label={text.sections.groups} columns={columns()} rows={rows} keyOf={({ id }) => id} />
        )}
      </ListOf>
      {isAdding && <NewGroup close={() => setAdding(false)} />}
    </>
  );
}

function columns(): readonly Column<Group>[] {
  const words = adminText.groups;
  return [
    {
      label: words.name,
      kind: 'main',
      cell: ({ id, name }) => (
        <Link to="/administration/groups/$groupId" params={{ groupId: id }}>
          {name}
        </Link>
      ),
    },
    { label: words.description, kind: 'long', cell: ({ description }) => description },
    { label: words.members, kind: 'number', cell: ({ members }) => showNumber(members) },
    {
      label: text.algorithm.created,
      cell: ({ created_at }) => <time dateTime={created_at}>{showDate(created_at)}</time>,
    },
  ];
}
