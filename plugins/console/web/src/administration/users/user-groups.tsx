import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import type { User } from '../../api/queries.ts';
import { Finder, type Findable } from '../../parts/finder.tsx';
import { Fault, Skeleton } from '../../parts/states.tsx';
import { adminText, text } from '../../texts/text.ts';
import { useChange } from '../../api/change.ts';
import { PartPager } from '../part-pager.tsx';
import { groupsQuery, partOf } from '../queries.ts';

/** The groups that an account belongs to. */
export function UserGroups({ user }: { readonly user: User }) {
  const words = adminText.groups;
  const [page, setPage] = useState(1);
  const found = useQuery(groupsQuery({ user_id: user.id, ...partOf(page) }));
  const { data, error, refetch } = found;
  const add = useChange(({ id: group_id }: Findable) =>
    dataOf(
      api.PUT('/groups/{group_id}/members/{user_id}', { params: { path: { group_id, user_id: user.id } } }),
    ),
  );
  return (
    <section className="card">
      <header>
        <h2>{text.sections.groups}</h2>
      </header>
      <div className="body stack">
        {error && <Fault error={error} retry={() => void refetch()} />}
        {!data && !error && <Skeleton style={{ height: 34 }} />}
        {data?.total === 0 && <p className="quiet">{words.ofNone}</p>}
        {data && data.rows.length > 0 && (
          <ul className="row">
            {data.rows.map(({ id, name }) => (
              <li key={id}>
                <Link to="/administration/groups/$groupId" params={{ groupId: id }} className="chip all">
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        )}
        <PartPager found={found} page={page} go={setPage} />
        {add.error && <Fault error={add.error} />}
        <Finder
          label={words.addTo}
          find={(q) => groupsQuery({ q, limit: 8 })}
          read={({ rows }) => rows.map(({ id, name }) => ({ id, name }))}
          choose={(group) => add.mutate(group)}
        />
      </div>
    </section>
  );
}
