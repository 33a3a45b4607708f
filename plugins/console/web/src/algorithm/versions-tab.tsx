import { Link } from '@tanstack/react-router';
import type { Algorithm } from '../api/queries.ts';
import { Empty } from '../parts/states.tsx';
import { showMoment, text } from '../texts/text.ts';

export function VersionsTab({ algorithm }: { readonly algorithm: Algorithm }) {
  if (algorithm.versions.length === 0) {
    return <Empty title={text.algorithm.noVersionTitle}>{text.algorithm.noVersion}</Empty>;
  }
  return (
    <section className="card table-scroll">
      <table>
        <thead>
          <tr>
            <th>{text.algorithm.version}</th>
            <th>{text.algorithm.updated}</th>
            <th>{text.algorithm.id}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {algorithm.versions.map((version) => (
            <tr key={version.id}>
              <td>
                <span className="row">
                  <strong>{version.version}</strong>
                  {version.is_default && <span className="badge">{text.algorithm.isDefault}</span>}
                </span>
              </td>
              <td>{showMoment(version.updated_at)}</td>
              <td className="mono">{version.id}</td>
              <td className="number">
                <Link
                  to="/algorithms/$algorithmId"
                  params={{ algorithmId: algorithm.id }}
                  search={{ version: version.id }}
                >
                  {text.algorithm.open}
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
