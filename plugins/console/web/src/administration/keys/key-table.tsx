import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApiKey } from '../../api/queries.ts';
import { useAlgorithmNames } from '../../calls/algorithm-names.ts';
import { keyColumns } from '../../keys/key-columns.tsx';
import { Revocation } from '../../keys/revocation.tsx';
import { ListTable, type Column } from '../../parts/list-table.tsx';
import { adminText, text } from '../../texts/text.ts';
import { useUserNames } from '../user-names.ts';

/** API keys, each with the way to revoke it. */
export function KeyTable(props: {
  readonly keys: readonly ApiKey[] | undefined;
  /** Whether they are of several accounts, so that each names its own. */
  readonly namesOwners?: boolean;
}) {
  const { keys, namesOwners = false } = props;
  const [revoked, setRevoked] = useState<ApiKey>();
  return (
    <>
      <ListTable
        className="keys"
        label={text.keys.title}
        columns={useKeyColumns(keys ?? [], namesOwners, setRevoked)}
        rows={keys}
        keyOf={({ id }) => id}
      />
      {revoked && <Revocation revoked={revoked} done={() => {}} close={() => setRevoked(undefined)} />}
    </>
  );
}

function useKeyColumns(keys: readonly ApiKey[], namesOwners: boolean, revoke: (key: ApiKey) => void) {
  const names = useAlgorithmNames(keys.flatMap(({ algorithms }) => algorithms ?? []));
  const owners = useUserNames(namesOwners ? keys.map(({ user_id }) => user_id) : []);
  const owner: Column<ApiKey> = {
    label: adminText.keys.ownedBy,
    kind: 'long',
    cell: ({ user_id }) => (
      <Link to="/administration/users/$userId" params={{ userId: user_id }}>
        {owners.get(user_id) ?? '…'}
      </Link>
    ),
  };
  const actions: Column<ApiKey> = {
    label: text.keys.actions,
    kind: 'actions',
    cell: (key) =>
      key.status === 'active' && (
        <button
          type="button"
          className="button small danger"
          aria-label={text.keys.actionOf.revoke(key.name)}
          onClick={() => revoke(key)}
        >
          {text.keys.revoke}
        </button>
      ),
  };
  const [name, ...others] = keyColumns(names);
  return [name!, ...(namesOwners ? [owner] : []), ...others, actions];
}
