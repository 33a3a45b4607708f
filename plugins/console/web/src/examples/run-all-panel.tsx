import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useIsOn } from '../pages/page-list.ts';
import { Icon } from '../parts/icon.tsx';
import { useLostFocus } from '../parts/lost-focus.ts';
import { Empty, Fault, ToCatalogue } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import {
  candidates,
  forgetExampleRuns,
  runExamples,
  stopExampleRuns,
  useExampleRuns,
  type ExampleRuns,
} from './run-all.ts';

type In<Phase extends ExampleRuns['phase']> = Extract<ExampleRuns, { readonly phase: Phase }>;

/** Whether there are examples to run, and none run now. */
function useCanRun(): boolean {
  const { data } = useQuery(candidates);
  const { phase } = useExampleRuns();
  return phase !== 'running' && data !== undefined && data.length > 0;
}

function RunExamples({ isFirst = false }: { readonly isFirst?: boolean }) {
  const queries = useQueryClient();
  return (
    <button
      type="button"
      className={isFirst ? 'button primary' : 'button'}
      onClick={() => void runExamples(queries)}
    >
      <Icon name="play" size={16} />
      {text.runs.start}
    </button>
  );
}

/** What a screen of one's own calls shows before there are any. */
export function NoCallsYet({ children }: { readonly children: string }) {
  const canRun = useCanRun();
  return (
    <Empty
      icon="clock"
      title={text.history.emptyTitle}
      action={
        <div className="row centre">
          <ToCatalogue />
          {canRun && <RunExamples />}
        </div>
      }
    >
      {children} {canRun && text.runs.hint}
    </Empty>
  );
}

/** What can be done first on a new installation. */
export function RunsOffer() {
  const { phase } = useExampleRuns();
  return phase === 'offered' ? <Offer /> : null;
}

function Offer() {
  const canRun = useCanRun();
  if (!canRun) return null;
  return (
    <section className="setup" aria-labelledby="runs-title">
      <div>
        <h2 id="runs-title">{text.runs.offerTitle}</h2>
        <p>{text.runs.offer}</p>
      </div>
      <div className="row">
        <RunExamples isFirst />
        <button type="button" className="button plain" onClick={forgetExampleRuns}>
          {text.runs.later}
        </button>
      </div>
    </section>
  );
}

/** How far the examples have come, and then what came of them. */
export function RunsPanel() {
  const runs = useExampleRuns();
  if (runs.phase === 'running') return <Running runs={runs} />;
  return runs.phase === 'ended' ? <Ended runs={runs} /> : null;
}

function Running({ runs }: { readonly runs: In<'running'> }) {
  const { name, total } = runs;
  const done = runs.succeeded + runs.failed;
  const section = useLostFocus<HTMLElement>();
  return (
    <section ref={section} className="setup runs" tabIndex={-1} aria-labelledby="runs-title">
      <div className="stack tight">
        <h2 id="runs-title">{text.runs.running}</h2>
        <progress
          aria-label={text.runs.running}
          {...(total > 0 && { max: total, value: Math.min(done, total) })}
        />
        <p role="status">
          {name === undefined ? text.runs.looking : text.runs.progress(done + 1, total, name)}
        </p>
      </div>
      <button type="button" className="button danger" onClick={stopExampleRuns}>
        <Icon name="stop" size={16} />
        {text.playground.stop}
      </button>
    </section>
  );
}

function Ended({ runs }: { readonly runs: In<'ended'> }) {
  const queries = useQueryClient();
  const hasHistory = useIsOn()('history');
  const { succeeded, failed, isStopped, error } = runs;
  return (
    <section className="setup runs" aria-labelledby="runs-title">
      <div className="stack tight" role="status">
        <h2 id="runs-title">{isStopped ? text.runs.stopped : text.runs.ended}</h2>
        <p>{succeeded + failed === 0 && !error ? text.runs.none : text.runs.summary(succeeded, failed)}</p>
        <p className="row">
          {hasHistory && <Link to="/history">{text.history.title}</Link>}
          {hasHistory && <Link to="/statistics">{text.figures.title}</Link>}
          {hasHistory && failed > 0 && (
            <Link to="/history" search={{ status: 'failed' }}>
              {text.runs.seeFailed}
            </Link>
          )}
        </p>
      </div>
      <button type="button" className="button" onClick={forgetExampleRuns}>
        {text.call.close}
      </button>
      {error !== undefined && <Fault error={error} retry={() => void runExamples(queries)} />}
    </section>
  );
}
