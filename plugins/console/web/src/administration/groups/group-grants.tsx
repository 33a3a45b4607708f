import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import { algorithmsQuery } from '../../api/queries.ts';
import { useAlgorithmNames } from '../../calls/algorithm-names.ts';
import { SelectField } from '../../parts/choice.tsx';
import { Finder, type Findable } from '../../parts/finder.tsx';
import { ListTable, type Column } from '../../parts/list-table.tsx';
import { Fault } from '../../parts/states.tsx';
import { errorsOf } from '../../playground/run.ts';
import { adminText, text } from '../../texts/text.ts';
import { EndField } from '../grants/end-field.tsx';
import { useGrantColumns } from '../grants/grant-actions.tsx';
import { endOfDay, RIGHTS, type Right } from '../grants/rights.ts';
import { PartPager } from '../part-pager.tsx';
import { grantsQuery, partOf, type Grant, type Group } from '../queries.ts';

/** What the members of a group may do with which algorithms. */
export function GroupGrants({ group }: { readonly group: Group }) {
  const words = adminText.grants;
  const [page, setPage] = useState(1);
  const found = useQuery(grantsQuery({ group_id: group.id, ...partOf(page) }));
  const { data, error, refetch } = found;
  const names = useAlgorithmNames(data?.rows.map(({ algorithm_id }) => algorithm_id) ?? []);
  const { columns, dialog } = useGrantColumns(({ algorithm_id: id }) => names.get(id) ?? id);
  return (
    <section className="stack tight" aria-labelledby="grants">
      <h2 id="grants">{words.title}</h2>
      <NewGrant group={group} />
      {error && <Fault error={error} retry={() => void refetch()} />}
      {data?.total === 0 && <p className="quiet">{words.none}</p>}
      {!error && data?.total !== 0 && (
        <ListTable
          label={words.title}
          columns={[algorithmColumn(names), ...columns]}
          rows={data?.rows}
          keyOf={({ id }) => id}
        />
      )}
      <PartPager found={found} page={page} go={setPage} />
      {dialog}
    </section>
  );
}

function NewGrant({ group }: { readonly group: Group }) {
  const words = adminText.grants;
  const [right, setRight] = useState<Right>('execute');
  const [until, setUntil] = useState('');
  const grant = useChange(({ id }: Findable) =>
    dataOf(
      api.POST('/permissions/grants', {
        body: {
          algorithm_id: id,
          group_id: group.id,
          permission_type: right,
          expires_at: endOfDay(until),
        },
      }),
    ),
  );
  return (
    <>
      <div className="new-grant">
        <SelectField
          label={words.right}
          name="right"
          options={RIGHTS}
          nameOf={(each) => words.rights[each]}
          initial={right}
          change={setRight}
        />
        <EndField value={until} change={setUntil} wrong={errorsOf(grant.error).get('/body/expires_at')} />
        <div className="field">
          <span className="label">{text.history.algorithm}</span>
          <Finder
            label={words.add}
            find={(q) => algorithmsQuery({ q, limit: 8 })}
            read={({ algorithms }) => algorithms.map(({ id, name }) => ({ id, name }))}
            choose={(algorithm) => grant.mutate(algorithm)}
          />
        </div>
      </div>
      {grant.error && <Fault error={grant.error} />}
    </>
  );
}

function algorithmColumn(names: ReadonlyMap<string, string>): Column<Grant> {
  return {
    label: text.history.algorithm,
    kind: 'main',
    cell: ({ algorithm_id: id }) => (
      <Link
        to="/administration/algorithms/$algorithmId"
        params={{ algorithmId: id }}
        search={{ tab: 'access' }}
      >
        {names.get(id) ?? '…'}
      </Link>
    ),
  };
}
