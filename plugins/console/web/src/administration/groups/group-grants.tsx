import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import { algorithmsQuery } from '../../api/queries.ts';
import { useAlgorithmNames } from '../../calls/algorithm-names.ts';
import { FilterSelect } from '../../parts/choice.tsx';
import { Finder, type Findable } from '../../parts/finder.tsx';
import { ListTable, type Column } from '../../parts/list-table.tsx';
import { Fault } from '../../parts/states.tsx';
import { adminText, showDate, text } from '../../texts/text.ts';
import { grantsQuery, type Grant, type Group } from '../queries.ts';

const RIGHTS = ['read', 'execute', 'manage'] as const;
type Right = (typeof RIGHTS)[number];

/** What the members of a group may do with which algorithms. */
export function GroupGrants({ group }: { readonly group: Group }) {
  const words = adminText.grants;
  const { data, error, refetch } = useQuery(grantsQuery({ group_id: group.id, limit: 100 }));
  const [right, setRight] = useState<Right>('execute');
  const grant = useChange(({ id }: Findable) =>
    dataOf(
      api.POST('/permissions/grants', {
        body: { algorithm_id: id, group_id: group.id, permission_type: right },
      }),
    ),
  );
  const takeBack = useChange(({ id: grant_id }: Grant) =>
    dataOf(api.DELETE('/permissions/grants/{grant_id}', { params: { path: { grant_id } } })),
  );
  const names = useAlgorithmNames(data?.rows.map(({ algorithm_id }) => algorithm_id) ?? []);
  const failed = grant.error ?? takeBack.error;
  return (
    <section className="stack tight" aria-labelledby="grants">
      <h2 id="grants">{words.title}</h2>
      <div className="list-filters">
        <FilterSelect
          label={words.right}
          options={RIGHTS}
          chosen={right}
          nameOf={(each) => words.rights[each]}
          choose={(chosen = 'execute') => setRight(chosen)}
        />
        <Finder
          label={words.add}
          find={(q) => algorithmsQuery({ q, limit: 8 })}
          read={({ algorithms }) => algorithms.map(({ id, name }) => ({ id, name }))}
          choose={(algorithm) => grant.mutate(algorithm)}
        />
      </div>
      {failed && <Fault error={failed} />}
      {error && <Fault error={error} retry={() => void refetch()} />}
      {data?.rows.length === 0 && <p className="quiet">{words.none}</p>}
      {!error && data?.rows.length !== 0 && (
        <ListTable
          label={words.title}
          columns={columns(names, (each) => takeBack.mutate(each))}
          rows={data?.rows}
          keyOf={({ id }) => id}
        />
      )}
    </section>
  );
}

function columns(
  names: ReadonlyMap<string, string>,
  takeBack: (grant: Grant) => void,
): readonly Column<Grant>[] {
  const words = adminText.grants;
  return [
    {
      label: text.history.algorithm,
      kind: 'main',
      cell: ({ algorithm_id: id }) => (
        <Link to="/algorithms/$algorithmId" params={{ algorithmId: id }}>
          {names.get(id) ?? '…'}
        </Link>
      ),
    },
    { label: words.right, cell: ({ permission_type }) => words.rights[permission_type] },
    {
      label: text.keys.expires,
      cell: ({ expires_at: end }) => (end ? <time dateTime={end}>{showDate(end)}</time> : text.keys.never),
    },
    {
      label: text.keys.actions,
      kind: 'actions',
      cell: (grant) => (
        <button
          type="button"
          className="button small"
          aria-label={words.takeBackOf(names.get(grant.algorithm_id) ?? grant.algorithm_id)}
          onClick={() => takeBack(grant)}
        >
          {words.takeBack}
        </button>
      ),
    },
  ];
}
