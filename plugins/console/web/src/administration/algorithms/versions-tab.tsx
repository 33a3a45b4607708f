import type { Algorithm, Version } from '../../api/queries.ts';
import { CheckBadge } from '../../checks/check-badge.tsx';
import { ListTable, type Column } from '../../parts/list-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Empty } from '../../parts/states.tsx';
import { showDate, text } from '../../texts/text.ts';

/** The versions of an algorithm, the newest first. */
export function VersionsTab({ algorithm }: { readonly algorithm: Algorithm }) {
  if (algorithm.versions.length === 0)
    return <Empty title={text.algorithm.noVersionTitle}>{text.algorithm.noVersion}</Empty>;
  return (
    <ListTable
      label={text.algorithm.versions}
      columns={columns()}
      rows={algorithm.versions}
      keyOf={({ id }) => id}
    />
  );
}

function columns(): readonly Column<Version>[] {
  return [
    {
      label: text.algorithm.version,
      kind: 'main',
      cell: ({ version, is_default, check }) => (
        <span className="row">
          <strong>{version}</strong>
          {is_default && <span className="badge">{text.algorithm.isDefault}</span>}
          {check && <CheckBadge check={check} />}
        </span>
      ),
    },
    { label: 'URL', kind: 'long', cell: ({ url }) => <code>{url}</code> },
    {
      label: text.algorithm.updated,
      cell: ({ updated_at }) => <Moment iso={updated_at} show={showDate} />,
    },
  ];
}
