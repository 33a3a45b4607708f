import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { SignedIn } from '../account/signed-in.tsx';
import type { HistorySearch } from '../addresses.ts';
import { calledAlgorithmsQuery } from '../api/queries.ts';
import { RunsPanel } from '../examples/run-all-panel.tsx';
import { useTitle } from '../parts/title.ts';
import { text } from '../texts/text.ts';
import { useAlgorithmNames } from './algorithm-names.ts';
import { CallList } from './call-list.tsx';

export function HistoryPage() {
  useTitle(text.history.title);
  return (
    <>
      <div className="page-head">
        <h1>{text.history.title}</h1>
        <p className="quiet">
          {text.history.intro} <Link to="/statistics">{text.history.toStatistics}</Link>
        </p>
      </div>
      <SignedIn>
        {() => (
          <>
            <RunsPanel />
            <History />
          </>
        )}
      </SignedIn>
    </>
  );
}

function History() {
  const search = useSearch({ from: '/history' });
  const navigate = useNavigate({ from: '/history' });
  const change = (part: HistorySearch): void =>
    void navigate({ search: (before) => ({ ...before, ...part }), resetScroll: 'cursor' in part });
  return (
    <CallList
      search={search}
      algorithm={search.algorithm}
      namesAlgorithms
      change={change}
      clear={() => void navigate({ search: {} })}
    >
      <Algorithms
        chosen={search.algorithm}
        change={(algorithm) => change({ algorithm, cursor: undefined })}
      />
    </CallList>
  );
}

/** The algorithms that were ever called with the account. */
function Algorithms({
  chosen,
  change,
}: {
  readonly chosen: string | undefined;
  readonly change: (id: string | undefined) => void;
}) {
  const { data } = useQuery(calledAlgorithmsQuery({}));
  const called = data?.algorithms.map(({ algorithm_id }) => algorithm_id) ?? [];
  const ids = chosen && !called.includes(chosen) ? [chosen, ...called] : called;
  const names = useAlgorithmNames(ids);
  return (
    <select
      className="select"
      aria-label={text.history.algorithm}
      value={chosen ?? ''}
      onChange={({ target }) => change(target.value || undefined)}
    >
      <option value="">{text.history.anyAlgorithm}</option>
      {ids.map((id) => (
        <option key={id} value={id}>
          {names.get(id) ?? id}
        </option>
      ))}
    </select>
  );
}
