import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { User } from '../../api/queries.ts';
import { StatusBadge } from '../../parts/badge.tsx';
import { FilterSelect } from '../../parts/choice.tsx';
import { ListTable, type Column } from '../../parts/list-table.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Empty } from '../../parts/states.tsx';
import { useTitle } from '../../parts/title.ts';
import { adminText, showDate, showStatus, text } from '../../texts/text.ts';
import { ACCOUNT_STATUSES, ROLES, type UsersSearch } from '../addresses.ts';
import { ListOf } from '../list-of.tsx';
import { partOf, usersQuery } from '../queries.ts';
import { NewUser } from './new-user.tsx';

/** The accounts of the installation. */
export function UsersPage() {
  const words = adminText.users;
  useTitle(text.sections.users);
  const search = useSearch({ from: '/administration/users' });
  const navigate = useNavigate({ from: '/administration/users' });
  const [isAdding, setAdding] = useState(false);
  const { page, ...filters } = search;
  const found = useQuery(usersQuery({ ...given(filters), ...partOf(page) }));
  const filter = (part: UsersSearch, replace = false): void =>
    void navigate({
      search: (before) => ({ ...before, page: undefined, ...part }),
      replace,
      resetScroll: false,
    });
  return (
    <>
      <div className="row between">
        <h1>{text.sections.users}</h1>
        <button type="button" className="button primary" onClick={() => setAdding(true)}>
          {words.add}
        </button>
      </div>
      <div className="list-filters">
        <SearchField q={search.q} label={words.search} change={(q) => filter({ q }, true)} />
        <FilterSelect
          label={text.account.role}
          any={words.anyRole}
          options={ROLES}
          chosen={search.role}
          nameOf={(role) => text.account.roles[role]}
          choose={(role) => filter({ role })}
        />
        <FilterSelect
          label={text.history.status}
          any={text.history.any}
          options={ACCOUNT_STATUSES}
          chosen={search.status}
          nameOf={showStatus}
          choose={(status) => filter({ status })}
        />
      </div>
      <ListOf
        found={found}
        count={words.count}
        empty={
          <Empty icon="user" title={words.emptyTitle}>
            {words.empty}
          </Empty>
        }
        isFiltered={(search.q ?? search.role ?? search.status) !== undefined}
        page={page}
      >
        {(rows) => (
          <ListTable label={text.sections.users} columns={columns()} rows={rows} keyOf={({ id }) => id} />
        )}
      </ListOf>
      {isAdding && <NewUser close={() => setAdding(false)} />}
    </>
  );
}

function columns(): readonly Column<User>[] {
  return [
    {
      label: text.account.username,
      kind: 'main',
      cell: ({ id, username }) => (
        <Link to="/administration/users/$userId" params={{ userId: id }}>
          {username}
        </Link>
      ),
    },
    { label: text.account.email, kind: 'long', cell: ({ email }) => email },
    { label: text.account.role, cell: ({ role }) => text.account.roles[role] },
    { label: text.history.status, kind: 'bare', cell: ({ status }) => <StatusBadge status={status} /> },
    {
      label: text.account.since,
      cell: ({ created_at }) => <time dateTime={created_at}>{showDate(created_at)}</time>,
    },
  ];
}

/** Only what is there: the API takes no empty filter. */
function given({ q, role, status }: UsersSearch) {
  return { ...(q && { q }), ...(role && { role }), ...(status && { status }) };
}
