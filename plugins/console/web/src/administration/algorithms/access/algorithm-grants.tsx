import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Algorithm } from '../../../api/queries.ts';
import { ListTable, type Column } from '../../../parts/list-table.tsx';
import { Fault } from '../../../parts/states.tsx';
import { adminText } from '../../../texts/text.ts';
import { useGrantColumns } from '../../grants/grant-actions.tsx';
import { PartPager } from '../../part-pager.tsx';
import { grantsQuery, partOf, type Grant } from '../../queries.ts';
import { useUserNames } from '../../user-names.ts';
import { useGroupNames } from './group-names.ts';
import { NewGrant } from './new-grant.tsx';

/** What was granted on an algorithm, and to whom. */
export function AlgorithmGrants({
  algorithm,
  isAdmin,
}: {
  readonly algorithm: Algorithm;
  readonly isAdmin: boolean;
}) {
  const words = adminText.access;
  const [page, setPage] = useState(1);
  const found = useQuery(grantsQuery({ algorithm_id: algorithm.id, ...partOf(page) }));
  const { data, error, refetch } = found;
  const nameOf = useHolderNames(data?.rows ?? [], isAdmin);
  const { columns, dialog } = useGrantColumns(nameOf);
  return (
    <section className="stack tight" aria-labelledby="grants">
      <h2 id="grants">{words.grants}</h2>
      <NewGrant algorithm={algorithm} isAdmin={isAdmin} />
      {error && <Fault error={error} retry={() => void refetch()} />}
      {data?.total === 0 && <p className="quiet">{words.none}</p>}
      {data && data.total > 0 && (
        <p className="small quiet" role="status">
          {words.count(data.total)}
        </p>
      )}
      {!error && data?.total !== 0 && (
        <ListTable
          label={words.grants}
          columns={[holderColumn(nameOf, isAdmin), ...columns]}
          rows={data?.rows}
          keyOf={({ id }) => id}
        />
      )}
      <PartPager found={found} page={page} go={setPage} />
      {dialog}
    </section>
  );
}

/** Names are for administrators; others see ids. */
function useHolderNames(grants: readonly Grant[], isAdmin: boolean): (grant: Grant) => string {
  const users = useUserNames(isAdmin ? grants.flatMap(({ user_id }) => user_id ?? []) : []);
  const groups = useGroupNames(isAdmin ? grants.flatMap(({ group_id }) => group_id ?? []) : []);
  return ({ user_id, group_id }) => {
    if (user_id !== null) return users.get(user_id) ?? user_id;
    return group_id === null ? adminText.access.kinds.everyone : (groups.get(group_id) ?? group_id);
  };
}

function holderColumn(nameOf: (grant: Grant) => string, isAdmin: boolean): Column<Grant> {
  const words = adminText.access;
  return {
    label: words.holder,
    kind: 'main',
    cell: (grant) => {
      const { user_id, group_id } = grant;
      if (user_id === null && group_id === null) return <strong>{nameOf(grant)}</strong>;
      const kind = user_id === null ? words.kinds.group : words.kinds.user;
      return (
        <>
          {!isAdmin && <code>{nameOf(grant)}</code>}
          {isAdmin && user_id !== null && (
            <Link to="/administration/users/$userId" params={{ userId: user_id }}>
              {nameOf(grant)}
            </Link>
          )}
          {isAdmin && group_id !== null && (
            <Link to="/administration/groups/$groupId" params={{ groupId: group_id }}>
              {nameOf(grant)}
            </Link>
          )}
          <small className="hint">{kind}</small>
        </>
      );
    },
  };
}
