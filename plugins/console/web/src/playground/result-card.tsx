import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/client.ts';
import type { Version } from '../api/queries.ts';
import { StatusBadge } from '../parts/badge.tsx';
import { JsonTree } from '../parts/json-tree.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Empty, Fault, ProblemFacts, Retry } from '../parts/states.tsx';
import { showDuration, text } from '../texts/text.ts';
import type { CallBody } from './code.ts';
import { CodeView } from './code-view.tsx';
import { ExampleResult, type ShownExample } from './examples.tsx';
import { OutputView } from './output-view.tsx';
import type { Run } from './run.ts';

const VIEWS = ['preview', 'raw', 'code'] as const;

interface ResultProps {
  readonly run: Run;
  readonly version: Version;
  /** What would be sent now. */
  readonly body: CallBody;
  /** The example in the form, whose result is shown until there is an own one. */
  readonly example: ShownExample | undefined;
  readonly retry: () => void;
}

/** The result of the last run, and the call as code. */
export function ResultCard({ run, version, body, example, retry }: ResultProps) {
  const [view, setView] = useState<(typeof VIEWS)[number]>('preview');
  const { done } = run;
  useEffect(() => {
    // Who looks at the code and runs wants to see the result.
    if (run.isRunning) setView((before) => (before === 'code' ? 'preview' : before));
  }, [run.isRunning]);
  const card = useRef<HTMLElement>(null);
  const outcome = run.error ?? done;
  useEffect(() => {
    // On a narrow screen the result lies below the form.
    if (outcome && matchMedia('(max-width: 860px)').matches) card.current?.scrollIntoView({ block: 'start' });
  }, [outcome]);
  return (
    <section ref={card} className="card result-card" aria-busy={run.isRunning}>
      <header>
        <div className="row" role="status">
          <h2>{text.playground.result}</h2>
          {run.isRunning && (
            <span className="row quiet small">
              <span className="spinner" aria-hidden="true" />
              {text.playground.running}
            </span>
          )}
          {!run.isRunning && !run.error && done && <StatusBadge status={done.call.status} />}
        </div>
        <div className="segments" role="group" aria-label={text.playground.views}>
          {VIEWS.map((each) => (
            <button key={each} type="button" aria-pressed={each === view} onClick={() => setView(each)}>
              {text.playground[each]}
            </button>
          ))}
        </div>
      </header>
      <div className="body stack">
        {view === 'code' ? (
          <CodeView call={body} />
        ) : (
          <Result run={run} version={version} body={body} example={example} view={view} retry={retry} />
        )}
      </div>
    </section>
  );
}

function Result({
  run,
  version,
  body,
  example,
  view,
  retry,
}: ResultProps & { readonly view: 'preview' | 'raw' }) {
  const { done, error, isStopped } = run;
  if (error) return <Refusal error={error} retry={retry} />;
  if (!done) {
    return (
      <>
        {isStopped && <p className="notice warn">{text.playground.stopped}</p>}
        {example?.example.output_data ? (
          <ExampleResult {...example} view={view} schema={version.output_schema} />
        ) : (
          <Empty icon="play" title={text.playground.emptyTitle}>
            {text.playground.empty}
          </Empty>
        )}
      </>
    );
  }
  const { call } = done;
  const isStale = done.body !== body;
  return (
    <>
      {isStopped && <p className="notice warn">{text.playground.stopped}</p>}
      {isStale && (
        <p className="notice warn small" role="status">
          {text.playground.stale}
        </p>
      )}
      <p className="row small quiet">
        {typeof call.response_time === 'number' && <strong>{showDuration(call.response_time)}</strong>}
        <Link to="/calls/$callId" params={{ callId: call.id }} className="mono">
          {call.id}
        </Link>
      </p>
      <div className={isStale || run.isRunning ? 'stack is-stale' : 'stack'}>
        {call.status === 'failed' ? (
          <div className="notice bad" role="alert">
            <h3>{text.playground.failedTitle}</h3>
            <p>{call.error_message}</p>
            <p className="small quiet">
              <code>{call.error_code}</code>
            </p>
          </div>
        ) : view === 'raw' ? (
          <>
            <div className="row">
              <CopyButton value={JSON.stringify(call.output_data, null, 2)} />
            </div>
            <JsonTree value={call.output_data} />
          </>
        ) : (
          <OutputView output={call.output_data} schema={version.output_schema} />
        )}
      </div>
    </>
  );
}

/** A call that never ran: which field is wrong, or when to come again. */
function Refusal({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  if (!(error instanceof ApiError) || error.status === 404) return <Fault error={error} retry={retry} />;
  return (
    <div className="notice bad" role="alert">
      <h3>{error.errors.length > 0 ? text.playground.invalidTitle : text.playground.refusedTitle}</h3>
      <p>{error.message}</p>
      {error.errors.length > 0 && (
        <ul className="stack small">
          {error.errors.slice(0, 20).map(({ pointer, message }) => (
            <li key={pointer + message}>
              <code>{pointer.replace(/^\/body/, '')}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <ProblemFacts error={error} />
      {(error.status === 429 || error.status >= 500) && <Retry after={error.retryAfter} retry={retry} />}
    </div>
  );
}
