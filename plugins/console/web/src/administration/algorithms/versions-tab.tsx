import { Link } from '@tanstack/react-router';
import type { Algorithm, Version } from '../../api/queries.ts';
import { CheckBadge } from '../../checks/check-badge.tsx';
import { ListTable, type Column } from '../../parts/list-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Empty } from '../../parts/states.tsx';
import { adminText, showDate, text } from '../../texts/text.ts';
import { MakeDefault } from './version-actions.tsx';

const VERSION = '/administration/algorithms/$algorithmId/versions/$versionId';

/** The versions of an algorithm, the newest first. */
export function VersionsTab({ algorithm }: { readonly algorithm: Algorithm }) {
  const words = adminText.algorithms;
  const add = (
    <Link to={VERSION} params={{ algorithmId: algorithm.id, versionId: 'new' }} className="button primary">
      {words.newVersion}
    </Link>
  );
  if (algorithm.versions.length === 0) {
    return (
      <Empty title={text.algorithm.noVersionTitle} action={add}>
        {words.noVersion}
      </Empty>
    );
  }
  return (
    <>
      <div className="row">{add}</div>
      <ListTable
        label={text.algorithm.versions}
        columns={columns()}
        rows={algorithm.versions}
        keyOf={({ id }) => id}
      />
    </>
  );
}

function columns(): readonly Column<Version>[] {
  const words = adminText.algorithms;
  return [
    {
      label: text.algorithm.version,
      kind: 'main',
      cell: ({ id, algorithm_id, version, is_default, check }) => (
        <span className="row">
          <Link to={VERSION} params={{ algorithmId: algorithm_id, versionId: id }}>
            {version}
          </Link>
          {is_default && <span className="badge">{text.algorithm.isDefault}</span>}
          {check && <CheckBadge check={check} />}
        </span>
      ),
    },
    { label: words.url, kind: 'long', cell: ({ url }) => <code>{url}</code> },
    {
      label: text.algorithm.updated,
      cell: ({ updated_at }) => <Moment iso={updated_at} show={showDate} />,
    },
    {
      label: text.keys.actions,
      kind: 'actions',
      cell: (version) => (
        <>
          {!version.is_default && <MakeDefault version={version} />}
          <Link
            to={VERSION}
            params={{ algorithmId: version.algorithm_id, versionId: 'new' }}
            search={{ from: version.id }}
            className="button small"
            aria-label={words.duplicateOf(version.version)}
          >
            {words.duplicate}
          </Link>
        </>
      ),
    },
  ];
}
