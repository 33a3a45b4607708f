import { useState } from 'react';
import { useChange } from '../../../api/change.ts';
import { api, dataOf } from '../../../api/client.ts';
import type { Algorithm } from '../../../api/queries.ts';
import { SelectField } from '../../../parts/choice.tsx';
import { Segments } from '../../../parts/segments.tsx';
import { Fault } from '../../../parts/states.tsx';
import { TextField } from '../../../parts/text-field.tsx';
import { errorsOf } from '../../../playground/run.ts';
import { adminText } from '../../../texts/text.ts';
import { EndField } from '../../grants/end-field.tsx';
import { endOfDay, RIGHTS, type Right } from '../../grants/rights.ts';
import { Pick, PickField, PickUser } from '../../pick.tsx';
import { useIsOn } from '../../../pages/page-list.ts';
import { groupsQuery } from '../../queries.ts';
import { useGroupNames } from './group-names.ts';

const KINDS = ['user', 'group', 'everyone'] as const;
type Kind = (typeof KINDS)[number];

/** Grants a right to an account, a group or everyone. What was entered stays when it is refused. */
export function NewGrant({
  algorithm,
  isAdmin,
}: {
  readonly algorithm: Algorithm;
  readonly isAdmin: boolean;
}) {
  const words = adminText.access;
  const isOn = useIsOn();
  const [kind, setKind] = useState<Kind>('user');
  const [holder, setHolder] = useState<string>();
  const [right, setRight] = useState<Right>('execute');
  const [until, setUntil] = useState('');
  const grant = useChange(
    () =>
      dataOf(
        api.POST('/permissions/grants', {
          body: {
            algorithm_id: algorithm.id,
            permission_type: right,
            expires_at: endOfDay(until),
            ...(kind === 'user' && { user_id: holder ?? '' }),
            ...(kind === 'group' && { group_id: holder ?? '' }),
            ...(kind === 'everyone' && { everyone: true as const }),
          },
        }),
      ),
    () => setHolder(undefined),
  );
  const isReady = kind === 'everyone' || (holder !== undefined && holder.trim() !== '');
  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !grant.isPending) grant.mutate(undefined);
      }}
    >
      <div className="body stack">
        <div className="new-grant">
          <div className="field">
            <span className="label">{words.toWhom}</span>
            <Segments
              label={words.toWhom}
              options={KINDS.filter((each) => each !== 'group' || isOn('groups'))}
              chosen={kind}
              choose={(chosen) => {
                setKind(chosen);
                setHolder(undefined);
                grant.reset();
              }}
              nameOf={(each) => words.kinds[each]}
            />
          </div>
          {kind !== 'everyone' && <Holder kind={kind} isAdmin={isAdmin} holder={holder} choose={setHolder} />}
          <SelectField
            label={adminText.grants.right}
            name="right"
            options={RIGHTS}
            nameOf={(each) => adminText.grants.rights[each]}
            initial={right}
            change={setRight}
          />
          <EndField value={until} change={setUntil} wrong={errorsOf(grant.error).get('/body/expires_at')} />
        </div>
        {grant.error && <Fault error={grant.error} />}
        <div className="row">
          <button type="submit" className="button primary" aria-disabled={!isReady || grant.isPending}>
            {words.grant}
          </button>
          <span className="small quiet" role="status">
            {grant.isSuccess && words.granted}
          </span>
        </div>
      </div>
    </form>
  );
}

function Holder(props: {
  readonly kind: Exclude<Kind, 'everyone'>;
  readonly isAdmin: boolean;
  readonly holder: string | undefined;
  readonly choose: (id: string | undefined) => void;
}) {
  const { kind, isAdmin, holder, choose } = props;
  const words = adminText.access;
  const names = useGroupNames(isAdmin && kind === 'group' && holder ? [holder] : []);
  // Only administrators may search accounts and groups.
  if (!isAdmin) {
    return (
      <TextField
        label={words.ids[kind]}
        hint={words.idHint}
        value={holder ?? ''}
        onChange={({ target }) => choose(target.value)}
      />
    );
  }
  return (
    <PickField label={words.kinds[kind]}>
      {kind === 'user' ? (
        <PickUser find={words.findUser} chosen={holder} choose={choose} />
      ) : (
        <Pick
          label={words.findGroup}
          find={(q) => groupsQuery({ q, limit: 8 })}
          read={({ rows }) => rows.map(({ id, name }) => ({ id, name }))}
          name={holder && (names.get(holder) ?? holder)}
          choose={choose}
        />
      )}
    </PickField>
  );
}
