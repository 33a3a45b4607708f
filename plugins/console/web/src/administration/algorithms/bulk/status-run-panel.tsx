import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAccount } from '../../../account/signed-in.tsx';
import { ApiError } from '../../../api/client.ts';
import { Icon } from '../../../parts/icon.tsx';
import { ListTable, type Column } from '../../../parts/list-table.tsx';
import { NumberedPager } from '../../../parts/numbered-pager.tsx';
import { useLostFocus } from '../../../parts/lost-focus.ts';
import { Fault } from '../../../parts/states.tsx';
import { adminText, showProblem, showStatus, text } from '../../../texts/text.ts';
import { PAGE_SIZE } from '../../queries.ts';
import {
  changeStatus,
  forgetStatusRun,
  stopStatusRun,
  useStatusRun,
  type Failure,
  type StatusRun,
} from './status-run.ts';

/** How far a change of many algorithms has come, and then what came of it. */
export function StatusRunPanel() {
  const run = useStatusRun();
  const me = useAccount();
  if (!run || run.by !== me?.id) return null;
  return run.phase === 'ended' ? <Ended run={run} /> : <Running run={run} />;
}

function Running({ run }: { readonly run: StatusRun }) {
  const words = adminText.bulk;
  const { phase, status, total, changed, unchanged, failures } = run;
  const done = changed + unchanged + failures.length;
  const section = useLostFocus<HTMLElement>();
  return (
    <section ref={section} className="setup runs" tabIndex={-1} aria-labelledby="status-run">
      <div className="stack tight">
        <h2 id="status-run">{words.running(showStatus(status))}</h2>
        <progress
          aria-label={words.running(showStatus(status))}
          {...(total > 0 && { max: total, value: done })}
        />
        <p role="status">{phase === 'looking' ? words.looking : words.progress(done, total)}</p>
      </div>
      <button type="button" className="button danger" onClick={stopStatusRun}>
        <Icon name="stop" size={16} />
        {text.playground.stop}
      </button>
    </section>
  );
}

function Ended({ run }: { readonly run: StatusRun }) {
  const words = adminText.bulk;
  const queries = useQueryClient();
  const { status, changed, unchanged, failures, left, isStopped, error } = run;
  const section = useLostFocus<HTMLElement>();
  const again = [...failures.map(({ target }) => target), ...left];
  return (
    <section ref={section} className="stack tight" tabIndex={-1} aria-labelledby="status-run">
      <div className="setup runs">
        <div className="stack tight" role="status">
          <h2 id="status-run">{isStopped ? text.runs.stopped : words.ended(showStatus(status))}</h2>
          <p>{words.summary(changed, unchanged, failures.length, left.length)}</p>
        </div>
        <div className="row">
          {again.length > 0 && (
            <button
              type="button"
              className="button primary"
              onClick={() => void changeStatus(queries, { targets: again }, status)}
            >
              {words.again(again.length)}
            </button>
          )}
          <button type="button" className="button" onClick={forgetStatusRun}>
            {text.call.close}
          </button>
        </div>
      </div>
      {error !== undefined && <Fault error={error} />}
      {failures.length > 0 && <Failures failures={failures} />}
    </section>
  );
}

function Failures({ failures }: { readonly failures: readonly Failure[] }) {
  const [page, setPage] = useState(1);
  const first = (page - 1) * PAGE_SIZE;
  return (
    <>
      <ListTable
        label={adminText.bulk.failures}
        columns={columns()}
        rows={failures.slice(first, first + PAGE_SIZE)}
        keyOf={({ target }) => target.id}
      />
      <NumberedPager
        page={page}
        pages={Math.ceil(failures.length / PAGE_SIZE)}
        go={(to = 1) => setPage(to)}
      />
    </>
  );
}

function columns(): readonly Column<Failure>[] {
  return [
    {
      label: text.history.algorithm,
      kind: 'main',
      cell: ({ target: { id, name } }) => (
        <Link to="/administration/algorithms/$algorithmId" params={{ algorithmId: id }}>
          {name}
        </Link>
      ),
    },
    {
      label: adminText.bulk.why,
      kind: 'long',
      cell: ({ error }) =>
        error instanceof ApiError ? (
          <>
            {showProblem(error.code, error.title)} <span className="hint">{error.message}</span>
          </>
        ) : (
          text.errors.offlineTitle
        ),
    },
  ];
}
