import type { ApiKey } from '../api/queries.ts';
import { StatusBadge } from '../parts/badge.tsx';
import type { Column } from '../parts/list-table.tsx';
import { Moment } from '../parts/moment.tsx';
import { showAgo, showDate, showMoment, text } from '../texts/text.ts';

/** What lists show of a key; the names are those of algorithms by their ids. */
export function keyColumns(names: ReadonlyMap<string, string>): readonly Column<ApiKey>[] {
  return [
    {
      label: text.keys.name,
      kind: 'main',
      cell: ({ name, key }) => (
        <>
          <strong>{name}</strong>
          <code className="quiet">{key}</code>
        </>
      ),
    },
    { label: text.keys.status, kind: 'bare', cell: ({ status }) => <StatusBadge status={status} /> },
    {
      label: text.keys.scopes,
      kind: 'long',
      cell: (key) => (
        <span className="small">
          {key.scopes.map((scope) => text.keys.scopeNames[scope]).join(text.keys.scopeSeparator)}
          <Restricted of={key} names={names} />
        </span>
      ),
    },
    { label: text.keys.expires, cell: (key) => <Expiry of={key} /> },
    {
      label: text.keys.lastUsed,
      cell: ({ last_used_at: at }) => (at ? <Moment iso={at} show={showAgo} /> : text.keys.never),
    },
  ];
}

function Expiry({ of: key }: { readonly of: ApiKey }) {
  return (
    <>
      <time dateTime={key.expires_at}>{showDate(key.expires_at)}</time>
      {key.expires_soon && <span className="badge warn">{text.keys.expiresSoon}</span>}
      {key.previous_expires_at && (
        <span className="hint small">
          {text.keys.previousUntil} <Moment iso={key.previous_expires_at} show={showMoment} />
        </span>
      )}
    </>
  );
}

/** What a key is restricted to besides its scopes. */
function Restricted({ of, names }: { readonly of: ApiKey; readonly names: ReadonlyMap<string, string> }) {
  const algorithms = of.algorithms?.map((id) => names.get(id) ?? id) ?? [];
  return (
    <>
      {algorithms.length > 0 && (
        <span className="hint">{text.keys.only(algorithms.join(text.keys.scopeSeparator))}</span>
      )}
      {of.networks && (
        <span className="hint">{text.keys.from(of.networks.join(text.keys.scopeSeparator))}</span>
      )}
    </>
  );
}
