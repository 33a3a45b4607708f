import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { StatusBadge } from '../../parts/badge.tsx';
import { Differences } from '../../parts/difference-table.tsx';
import { Panel } from '../../parts/panel.tsx';
import { adminText, showMoment, text } from '../../texts/text.ts';
import type { AuditEntry } from '../queries.ts';
import { showAction, showKind } from './audit-words.ts';

/** An entry of the trail beside the list: what is about it, and what it changed. */
export function EntryPanel(props: {
  readonly entry: AuditEntry;
  readonly ids: readonly string[];
  readonly open: (id: string) => void;
  readonly close: () => void;
}) {
  const { entry, ids, open, close } = props;
  const words = adminText.audit;
  const hasChanged = entry.before !== null || entry.after !== null;
  return (
    <Panel title={showAction(entry.action)} ids={ids} id={entry.id} open={open} close={close}>
      <EntryFacts entry={entry} />
      {hasChanged ? (
        <Differences
          title={words.changes}
          names={[words.before, words.after]}
          first={entry.before ?? {}}
          second={entry.after ?? {}}
        />
      ) : (
        <p className="quiet">{words.noChanges}</p>
      )}
    </Panel>
  );
}

function EntryFacts({ entry }: { readonly entry: AuditEntry }) {
  const words = adminText.audit;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [text.history.when, showMoment(entry.created_at)],
    [words.who, <Actor key="actor" entry={entry} />],
    [words.target, <Target key="target" entry={entry} />],
    [words.outcome, <StatusBadge key="outcome" status={entry.outcome} />],
    [words.repeated, entry.count > 1 ? words.times(entry.count) : undefined],
    [words.from, entry.address],
    [words.credential, entry.credential_id && <code>{entry.credential_id}</code>],
    [text.errors.requestId, entry.request_id && <code>{entry.request_id}</code>],
    [words.name, <code key="action">{entry.action}</code>],
  ];
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([label, value]) => (
          <Fact key={label} label={label} value={value} />
        ))}
    </dl>
  );
}

function Fact({ label, value }: { readonly label: string; readonly value: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </>
  );
}

function Actor({
  entry: { actor_kind: kind, actor_id: id, actor_name: name },
}: {
  readonly entry: AuditEntry;
}) {
  const kindName = adminText.audit.actors[kind];
  if (!id) return name ? `${name} · ${kindName}` : kindName;
  return (
    <>
      <Link to="/administration/users/$userId" params={{ userId: id }}>
        {name ?? id}
      </Link>
      {kind !== 'user' && ` · ${kindName}`}
    </>
  );
}

function Target({
  entry: { target_kind: kind, target_id: id, target_name: name },
}: {
  readonly entry: AuditEntry;
}) {
  const shown = name ?? id ?? '–';
  return (
    <>
      {id ? <TargetLink kind={kind} id={id} name={shown} /> : shown}
      {kind && ` · ${showKind(kind)}`}
    </>
  );
}

/** Leads to what was changed, where it has a screen. */
function TargetLink(props: { readonly kind: string | null; readonly id: string; readonly name: string }) {
  const { kind, id, name } = props;
  switch (kind ?? '') {
    case 'account':
      return (
        <Link to="/administration/users/$userId" params={{ userId: id }}>
          {name}
        </Link>
      );
    case 'group':
      return (
        <Link to="/administration/groups/$groupId" params={{ groupId: id }}>
          {name}
        </Link>
      );
    case 'repository':
    case 'hosted_repository':
      return (
        <Link to="/administration/repositories" search={{ open: id }}>
          {name}
        </Link>
      );
    case 'gateway_policy':
      return (
        <Link to="/administration/gateway/limits" search={{ open: id }}>
          {name}
        </Link>
      );
    case 'gateway_block':
      return (
        <Link to="/administration/gateway/blocks" search={{ open: id }}>
          {name}
        </Link>
      );
    case 'algorithm':
    case 'payload_policy':
    case 'gateway_route':
      return (
        <Link to="/algorithms/$algorithmId" params={{ algorithmId: id }}>
          {name}
        </Link>
      );
    default:
      return name;
  }
}
