import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import { Finder, type Findable } from '../../parts/finder.tsx';
import { ListTable, type Column } from '../../parts/list-table.tsx';
import { Fault } from '../../parts/states.tsx';
import { adminText, showDate, text } from '../../texts/text.ts';
import { PartPager } from '../part-pager.tsx';
import { membersQuery, usersQuery, type Group, type Member } from '../queries.ts';

const BY_HAND = 'manual';

/** Who belongs to a group. What a plugin keeps, such as single sign-on, ends only there. */
export function GroupMembers({ group }: { readonly group: Group }) {
  const words = adminText.groups;
  const [page, setPage] = useState(1);
  const found = useQuery(membersQuery(group.id, page));
  const { data, error, refetch } = found;
  const pathOf = (user_id: string) => ({ params: { path: { group_id: group.id, user_id } } });
  const add = useChange(({ id }: Findable) =>
    dataOf(api.PUT('/groups/{group_id}/members/{user_id}', pathOf(id))),
  );
  const remove = useChange(({ user_id }: Member) =>
    dataOf(api.DELETE('/groups/{group_id}/members/{user_id}', pathOf(user_id))),
  );
  const failed = add.error ?? remove.error;
  return (
    <section className="stack tight" aria-labelledby="members">
      <h2 id="members">{words.members}</h2>
      <div className="list-filters">
        <Finder
          label={words.addMember}
          find={(q) => usersQuery({ q, limit: 8 })}
          read={({ rows }) => rows.map(({ id, username, email }) => ({ id, name: username, hint: email }))}
          choose={(user) => add.mutate(user)}
        />
        <p className="small quiet" role="status">
          {add.isSuccess && words.added(add.variables.name)}
        </p>
      </div>
      {failed && <Fault error={failed} />}
      {error && <Fault error={error} retry={() => void refetch()} />}
      {data?.rows.length === 0 && <p className="quiet">{words.noMembers}</p>}
      {!error && data?.rows.length !== 0 && (
        <ListTable
          label={words.members}
          columns={columns((member) => remove.mutate(member))}
          rows={data?.rows}
          keyOf={({ user_id }) => user_id}
        />
      )}
      <PartPager found={found} page={page} go={setPage} />
    </section>
  );
}

function columns(remove: (member: Member) => void): readonly Column<Member>[] {
  const words = adminText.groups;
  return [
    {
      label: text.account.username,
      kind: 'main',
      cell: ({ user_id, username }) => (
        <Link to="/administration/users/$userId" params={{ userId: user_id }}>
          {username || user_id}
        </Link>
      ),
    },
    {
      label: words.source,
      cell: ({ sources }) =>
        sources.map((source) => (
          <span key={source} className={source === BY_HAND ? undefined : 'badge'}>
            {source === BY_HAND ? words.byHand : source}{' '}
          </span>
        )),
    },
    { label: words.since, cell: ({ since }) => <time dateTime={since}>{showDate(since)}</time> },
    {
      label: text.keys.actions,
      kind: 'actions',
      cell: (member) =>
        member.sources.includes(BY_HAND) ? (
          <button
            type="button"
            className="button small"
            aria-label={words.removeOf(member.username)}
            onClick={() => remove(member)}
          >
            {words.remove}
          </button>
        ) : (
          <span className="small quiet">{words.keptElsewhere}</span>
        ),
    },
  ];
}
