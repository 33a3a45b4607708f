import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ListTable, type Column } from '../../parts/list-table.tsx';
import { Empty } from '../../parts/states.tsx';
import { useTitle } from '../../parts/title.ts';
import { adminText, showSpan, text } from '../../texts/text.ts';
import { ListOf } from '../list-of.tsx';
import { useIsOn } from '../../pages/page-list.ts';
import { partOf, settingsQuery } from '../queries.ts';
import { showLimit } from './limit-words.ts';
import { ChangePolicy, DeletePolicy, NewPolicy } from './policy-dialogs.tsx';
import { policiesQuery, type Policy } from './queries.ts';
import { showSubject, useSubjectNames } from './subjects.ts';

/** The limits of users, API keys and algorithms. */
export function PoliciesPage() {
  const words = adminText.gateway.policies;
  useTitle(adminText.gateway.tabs.policies);
  const { page, open } = useSearch({ from: '/administration/gateway/limits' });
  const navigate = useNavigate({ from: '/administration/gateway/limits' });
  const [asked, setAsked] = useState<'new' | Policy>();
  const found = useQuery(policiesQuery(partOf(page)));
  // What is closed was saved, or given up.
  const go = (id: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, open: id }), resetScroll: false, ignoreBlocker: true });
  const columns = useColumns(found.data?.rows ?? [], go, setAsked);
  return (
    <>
      <div className="row between">
        <Order />
        <button type="button" className="button primary" onClick={() => setAsked('new')}>
          {words.add}
        </button>
      </div>
      <ListOf
        found={found}
        count={words.count}
        empty={
          <Empty icon="filter" title={words.emptyTitle}>
            {words.empty}
          </Empty>
        }
        isFiltered={false}
        page={page}
      >
        {(rows) => (
          <ListTable
            label={adminText.gateway.tabs.policies}
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
          />
        )}
      </ListOf>
      {asked === 'new' && <NewPolicy close={() => setAsked(undefined)} />}
      {asked && asked !== 'new' && <DeletePolicy policy={asked} close={() => setAsked(undefined)} />}
      {open && <ChangePolicy key={open} id={open} close={() => go(undefined)} />}
    </>
  );
}

/** Which of several limits counts, down to the one of the settings. */
function Order() {
  const words = adminText.gateway.policies;
  const isOn = useIsOn();
  const { data } = useQuery({ ...settingsQuery, enabled: isOn('monitoring') });
  const valueOf = (name: string): number =>
    Number(data?.find((setting) => setting.section === 'gateway' && setting.key === name)?.value);
  const calls = valueOf('rate_limit');
  const standard =
    calls > 0 ? words.standard(words.allowed(calls, showSpan(valueOf('rate_window_s')))) : words.noStandard;
  return (
    <p className="quiet explanation">
      {words.which} {data && standard}
    </p>
  );
}

function useColumns(
  policies: readonly Policy[],
  open: (id: string) => void,
  remove: (policy: Policy) => void,
): readonly Column<Policy>[] {
  const words = adminText.gateway;
  const nameOf = useSubjectNames(
    policies.flatMap(({ subject, subject_id: value }) => (value === null ? [] : [{ subject, value }])),
  );
  return [
    {
      label: words.policies.name,
      kind: 'main',
      cell: ({ id, name, enabled }) => (
        <>
          <button type="button" className="as-link" onClick={() => open(id)}>
            {name}
          </button>
          {!enabled && <span className="badge warn">{words.policies.states.off}</span>}
        </>
      ),
    },
    {
      label: words.policies.for,
      kind: 'long',
      cell: ({ subject, subject_id: value }) =>
        value === null ? words.each[subject] : showSubject(subject, nameOf({ subject, value })),
    },
    { label: words.policies.limit, cell: showLimit },
    {
      label: text.keys.actions,
      kind: 'actions',
      cell: (policy) => (
        <>
          <button
            type="button"
            className="button small"
            aria-label={text.keys.actionOf.change(policy.name)}
            onClick={() => open(policy.id)}
          >
            {text.keys.change}
          </button>
          <button
            type="button"
            className="button small danger"
            aria-label={words.policies.deleteOf(policy.name)}
            onClick={() => remove(policy)}
          >
            {words.policies.delete}
          </button>
        </>
      ),
    },
  ];
}
