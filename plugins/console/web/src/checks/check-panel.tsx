import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, ApiError, dataOf } from '../api/client.ts';
import {
  checkRunsQuery,
  versionCheckQuery,
  type Algorithm,
  type CheckRun,
  type Version,
} from '../api/queries.ts';
import { Refused } from '../examples/refused.tsx';
import { useManages } from '../examples/rights.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Moment } from '../parts/moment.tsx';
import { Retry } from '../parts/states.tsx';
import { apiUrl } from '../place.ts';
import { showAgo, text } from '../texts/text.ts';
import { CheckBadge, CheckSince } from './check-badge.tsx';
import { RunResult } from './run-result.tsx';

interface PanelProps {
  readonly algorithm: Algorithm;
  readonly version: Version;
}

/** Whether the version works; those who manage it check it now and see what was not as expected. */
export function CheckPanel({ algorithm, version }: PanelProps) {
  const { check } = version;
  const manages = useManages(algorithm.id);
  const { data } = useQuery(versionCheckQuery(algorithm.id, version.id));
  // No plugin checks versions.
  if (!check) return null;
  return (
    <section className="card" aria-labelledby="checks-title">
      <header>
        <h2 id="checks-title">{text.checks.of(version.version)}</h2>
        <CheckBadge check={data ?? check} />
      </header>
      <div className="body stack">
        <p>
          <CheckSince check={data ?? check} />
          {data?.reason && `: ${text.checks.reasons[data.reason]}`}
          {data?.checked_at && (
            <span className="quiet">
              {' · '}
              {text.checks.checked} <Moment iso={data.checked_at} show={showAgo} />
            </span>
          )}
        </p>
        <div className="row">
          {manages && <CheckNow algorithm={algorithm} version={version} />}
          <CopyButton value={() => badgeOf(algorithm, version)} label={text.checks.copyBadge} />
        </div>
        {manages && <LastResult algorithm={algorithm} version={version} />}
      </div>
    </section>
  );
}

/** Whether as many checks run and wait as may. */
function isBusy(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'overloaded';
}

/** Checks by hand share their places with those of the schedule. */
function Busy({ after, retry }: { readonly after: number | undefined; readonly retry: () => void }) {
  return (
    <div className="notice warn" role="alert">
      <p>{text.checks.busy}</p>
      <Retry after={after} retry={retry} />
    </div>
  );
}

function CheckNow({ algorithm, version }: PanelProps) {
  const queries = useQueryClient();
  const path = { algorithm_id: algorithm.id, version_id: version.id };
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      dataOf(api.POST('/algorithms/{algorithm_id}/versions/{version_id}/checks', { params: { path } })),
    onSettled: () => {
      const changed = new Set(['algorithm', 'algorithms', 'check', 'checks']);
      void queries.invalidateQueries({ predicate: ({ queryKey }) => changed.has(String(queryKey[0])) });
    },
  });
  return (
    <>
      <button
        type="button"
        className="button primary"
        aria-disabled={isPending}
        onClick={() => isPending || mutate()}
      >
        {isPending ? text.checks.checking : text.checks.now}
      </button>
      {error !== null &&
        (isBusy(error) ? <Busy after={error.retryAfter} retry={mutate} /> : <Refused error={error} />)}
    </>
  );
}

function LastResult({ algorithm, version }: PanelProps) {
  const { data } = useQuery(checkRunsQuery(algorithm.id, version.id));
  const last: CheckRun | undefined = data?.checks[0];
  if (!last) return null;
  return (
    <>
      <p role="status" className="small">
        {last.passed ? text.checks.passed : text.checks.failed}{' '}
        <Moment iso={last.started_at} show={showAgo} />
        {data &&
          data.checks.length > 1 &&
          ` · ${text.checks.ofLast(passedOf(data.checks), data.checks.length)}`}
      </p>
      <RunResult run={last} />
    </>
  );
}

function passedOf(runs: readonly CheckRun[]): number {
  return runs.filter(({ passed }) => passed).length;
}

/** The picture of the state for a readme, in Markdown. */
function badgeOf({ id, name }: Algorithm, version: Version): string {
  const address = new URL(
    `${apiUrl}/algorithms/${id}/versions/${version.is_default ? 'default' : version.id}/badge.svg`,
    document.baseURI,
  );
  return `![${name.replaceAll(/[[\]]/g, '')}](${address.href})`;
}
