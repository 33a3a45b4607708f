import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import { useAlgorithmNames } from '../../calls/algorithm-names.ts';
import { ListTable, type Column } from '../../parts/list-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Empty, Fault } from '../../parts/states.tsx';
import { useTitle } from '../../parts/title.ts';
import { adminText, showAgo, showFailure, text } from '../../texts/text.ts';
import { ListOf } from '../list-of.tsx';
import { partOf } from '../queries.ts';
import { circuitsQuery, type Circuit } from './queries.ts';

/** The versions that are not called because they failed again and again. */
export function CircuitsPage() {
  const words = adminText.gateway.circuits;
  useTitle(adminText.gateway.tabs.circuits);
  const { page } = useSearch({ from: '/administration/gateway/circuits' });
  const found = useQuery(circuitsQuery(partOf(page)));
  const reset = useChange(({ version_id }: Circuit) =>
    dataOf(api.DELETE('/gateway/circuits/{version_id}', { params: { path: { version_id } } })),
  );
  const columns = useColumns(found.data?.rows ?? [], (circuit) => reset.isPending || reset.mutate(circuit));
  return (
    <>
      <p className="quiet explanation">{words.intro}</p>
      {reset.error && <Fault error={reset.error} />}
      <ListOf
        found={found}
        count={words.count}
        empty={
          <Empty icon="play" title={words.emptyTitle}>
            {words.empty}
          </Empty>
        }
        isFiltered={false}
        page={page}
      >
        {(rows) => (
          <ListTable
            label={adminText.gateway.tabs.circuits}
            columns={columns}
            rows={rows}
            keyOf={({ version_id }) => version_id}
          />
        )}
      </ListOf>
    </>
  );
}

function useColumns(
  circuits: readonly Circuit[],
  reset: (circuit: Circuit) => void,
): readonly Column<Circuit>[] {
  const words = adminText.gateway.circuits;
  const names = useAlgorithmNames(circuits.map(({ algorithm_id }) => algorithm_id));
  return [
    {
      label: text.history.algorithm,
      kind: 'main',
      cell: ({ algorithm_id: id, version_id: version }) => (
        <Link
          to="/administration/algorithms/$algorithmId/versions/$versionId"
          params={{ algorithmId: id, versionId: version }}
        >
          {names.get(id) ?? '…'}
        </Link>
      ),
    },
    {
      label: text.history.status,
      kind: 'bare',
      cell: ({ state }) => (
        <span className={`badge dot ${state === 'open' ? 'bad' : 'warn'}`}>{words.states[state]}</span>
      ),
    },
    {
      label: words.why,
      kind: 'long',
      cell: ({ failures, last_error_code: code }) => (
        <>
          {words.failures(failures)}
          <small className="hint">{showFailure(code)}</small>
        </>
      ),
    },
    { label: words.opened, cell: ({ opened_at }) => <Moment iso={opened_at} show={showAgo} /> },
    {
      label: words.retry,
      cell: ({ retry_at }) => (retry_at === null ? words.next : <Moment iso={retry_at} show={showAgo} />),
    },
    {
      label: text.keys.actions,
      kind: 'actions',
      cell: (circuit) => (
        <button
          type="button"
          className="button small"
          aria-label={words.resetOf(names.get(circuit.algorithm_id) ?? circuit.version_id)}
          onClick={() => reset(circuit)}
        >
          {words.reset}
        </button>
      ),
    },
  ];
}
