import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import { useAlgorithmNames } from '../../calls/algorithm-names.ts';
import { SelectField } from '../../parts/choice.tsx';
import { ListTable, type Column } from '../../parts/list-table.tsx';
import { Fault } from '../../parts/states.tsx';
import { errorsOf } from '../../playground/run.ts';
import { adminText, text } from '../../texts/text.ts';
import { EndField } from '../grants/end-field.tsx';
import { useGrantColumns } from '../grants/grant-actions.tsx';
import { endOfDay, RIGHTS, type Right } from '../grants/rights.ts';
import { PartPager } from '../part-pager.tsx';
import { PickAlgorithm, PickField } from '../pick.tsx';
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
  const [algorithm, setAlgorithm] = useState<string>();
  const [right, setRight] = useState<Right>('execute');
  const [until, setUntil] = useState('');
  const grant = useChange(
    (algorithm_id: string) =>
      dataOf(
        api.POST('/permissions/grants', {
          body: {
            algorithm_id,
            group_id: group.id,
            permission_type: right,
            expires_at: endOfDay(until),
          },
        }),
      ),
    () => setAlgorithm(undefined),
  );
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        if (algorithm !== undefined && !grant.isPending) grant.mutate(algorithm);
      }}
    >
      <div className="new-grant">
        <PickField label={text.history.algorithm}>
          <PickAlgorithm find={adminText.gateway.find.algorithm} chosen={algorithm} choose={setAlgorithm} />
        </PickField>
        <SelectField
          label={words.right}
          name="right"
          options={RIGHTS}
          nameOf={(each) => words.rights[each]}
          initial={right}
          change={setRight}
        />
        <EndField value={until} change={setUntil} wrong={errorsOf(grant.error).get('/body/expires_at')} />
      </div>
      {grant.error && <Fault error={grant.error} />}
      <div className="row">
        <button
          type="submit"
          className="button primary"
          aria-disabled={algorithm === undefined || grant.isPending}
        >
          {adminText.access.grant}
        </button>
        <span className="small quiet" role="status">
          {grant.isSuccess && adminText.access.granted}
        </span>
      </div>
    </form>
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
