import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { meQuery, routeQuery, type Algorithm, type Version } from '../api/queries.ts';
import { CheckBadge } from '../checks/check-badge.tsx';
import { CheckPanel } from '../checks/check-panel.tsx';
import { ExampleList } from '../examples/example-list.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Empty } from '../parts/states.tsx';
import { Moment } from '../parts/moment.tsx';
import { showDate, showNumber, text } from '../texts/text.ts';
import { changesSince, type PartChanges } from './version-changes.ts';

export function VersionsTab({
  algorithm,
  version: shown,
}: {
  readonly algorithm: Algorithm;
  /** The version whose examples are listed. */
  readonly version: Version | undefined;
}) {
  const { versions } = algorithm;
  const shares = useShares(algorithm.id);
  if (shown === undefined) {
    return <Empty title={text.algorithm.noVersionTitle}>{text.algorithm.noVersion}</Empty>;
  }
  return (
    <>
      <section className="card table-scroll">
        <table className="versions">
          <thead>
            <tr>
              <th>{text.algorithm.version}</th>
              <th>{text.algorithm.changes}</th>
              {shares && <th className="number">{text.algorithm.share}</th>}
              <th>{text.algorithm.created}</th>
              <th>{text.algorithm.updated}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {versions.map((version, i) => (
              <tr key={version.id}>
                <td>
                  <span className="row">
                    <strong>{version.version}</strong>
                    {version.is_default && <span className="badge">{text.algorithm.isDefault}</span>}
                    {version.check && <CheckBadge check={version.check} />}
                  </span>
                </td>
                <td className="small">
                  <Changes version={version} before={versions[i + 1]} />
                </td>
                {shares && <td className="number">{showNumber(shares.get(version.id) ?? 0)} %</td>}
                <td>
                  <Moment iso={version.created_at} show={showDate} />
                </td>
                <td>
                  <Moment iso={version.updated_at} show={showDate} />
                </td>
                <td className="number">
                  <span className="row">
                    <CopyButton value={version.id} label={text.algorithm.copyId} />
                    <Link
                      to="/algorithms/$algorithmId"
                      params={{ algorithmId: algorithm.id }}
                      search={{ version: version.id }}
                      className="button small"
                    >
                      {text.algorithm.open}
                    </Link>
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <CheckPanel algorithm={algorithm} version={shown} />
      <ExampleList algorithm={algorithm} version={shown} />
    </>
  );
}

/** What a caller has to know who used the version before. */
function Changes({ version, before }: { readonly version: Version; readonly before: Version | undefined }) {
  if (before === undefined) return text.algorithm.firstVersion;
  const changes = changesSince(before, version);
  if (changes.length === 0) return text.algorithm.sameInterface;
  return (
    <ul>
      {changes.map((change) => (
        <li key={change.part}>
          {text.algorithm[change.part]}: {sentenceOf(change)}
        </li>
      ))}
    </ul>
  );
}

function sentenceOf({ added, removed, changed }: PartChanges): string {
  const { added: plus, removed: minus, changed: other } = text.algorithm.changed;
  return [
    ...(added.length > 0 ? [plus(added.join(', '))] : []),
    ...(removed.length > 0 ? [minus(removed.join(', '))] : []),
    ...(changed.length > 0 ? [other(changed.join(', '))] : []),
  ].join('; ');
}

/** The share of the callers that the gateway gives to each version; administrators may see it. */
function useShares(algorithmId: string): ReadonlyMap<string, number> | undefined {
  const { data: me } = useQuery(meQuery);
  const { data: route } = useQuery({ ...routeQuery(algorithmId), enabled: me?.role === 'admin' });
  return route ? new Map(route.versions.map(({ version_id, percent }) => [version_id, percent])) : undefined;
}
