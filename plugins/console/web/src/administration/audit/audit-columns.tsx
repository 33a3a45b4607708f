import { StatusBadge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/list-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { adminText, showMoment, text } from '../../texts/text.ts';
import type { AuditEntry } from '../queries.ts';
import { showAction, showKind } from './audit-words.ts';

/** What the list shows of an entry; the rest opens beside it. */
export function auditColumns(open: (id: string) => void): readonly Column<AuditEntry>[] {
  const words = adminText.audit;
  return [
    {
      label: words.action,
      kind: 'main',
      cell: (entry) => (
        <>
          <button type="button" className="as-link" onClick={() => open(entry.id)}>
            {showAction(entry.action)}
          </button>
          {entry.outcome === 'failure' && (
            <span className="row small">
              <StatusBadge status={entry.outcome} />
              {entry.count > 1 && <span className="quiet">{words.times(entry.count)}</span>}
            </span>
          )}
        </>
      ),
    },
    {
      label: words.target,
      kind: 'long',
      cell: ({ target_kind: kind, target_name: name }) => (
        <>
          {name}
          {kind && <small className="quiet">{name ? ` ${showKind(kind)}` : showKind(kind)}</small>}
        </>
      ),
    },
    {
      label: words.who,
      kind: 'long',
      cell: ({ actor_kind: kind, actor_name: name }) => (
        <>
          {name ?? words.actors[kind]}
          {name && kind !== 'user' && <small className="quiet"> {words.actors[kind]}</small>}
        </>
      ),
    },
    { label: words.from, cell: ({ address }) => address ?? '–' },
    {
      label: text.history.when,
      kind: 'bare',
      cell: ({ created_at }) => <Moment iso={created_at} show={showMoment} />,
    },
  ];
}
