import { useEffect, useRef, type ReactNode } from 'react';
import { StatusBadge } from '../../parts/badge.tsx';
import { Empty, Fault } from '../../parts/states.tsx';
import { OutputView } from '../../playground/output-view.tsx';
import { adminText, showDuration, text } from '../../texts/text.ts';
import type { Trial, TrialBody } from './version-draft.ts';

/** How far a trial has come. */
export type TrialState =
  | { readonly phase: 'none' | 'running' }
  | { readonly phase: 'answered'; readonly trial: Trial; readonly sent: TrialBody }
  | { readonly phase: 'refused'; readonly error: unknown };

/** What came back from the endpoint: how long it took, what it answered, and whether callers may get that. */
export function TrialResult(props: {
  readonly state: TrialState;
  /** Whether something else would be tried now. */
  readonly isStale: boolean;
  readonly schema: Record<string, unknown>;
  readonly retry: () => void;
  readonly children?: ReactNode;
}) {
  const { state, isStale, schema, retry, children } = props;
  const words = adminText.algorithms;
  const card = useRef<HTMLElement>(null);
  const isOver = state.phase === 'answered' || state.phase === 'refused';
  useEffect(() => {
    if (isOver && matchMedia('(max-width: 860px)').matches) card.current?.scrollIntoView({ block: 'start' });
  }, [isOver]);
  const call = state.phase === 'answered' ? state.trial.call : undefined;
  return (
    <section
      ref={card}
      className="card"
      aria-label={words.testResult}
      aria-busy={state.phase === 'running'}
      tabIndex={-1}
    >
      <header>
        <div className="row" role="status">
          <h2>{words.testResult}</h2>
          {state.phase === 'running' && <span className="small quiet">{words.testing}</span>}
          {call && <StatusBadge status={call.status} />}
          {call && <span className="small quiet">{showDuration(call.response_time)}</span>}
        </div>
      </header>
      <div className="body stack">
        {state.phase === 'none' && (
          <Empty icon="play" title={words.untestedTitle}>
            {words.untested}
          </Empty>
        )}
        {state.phase === 'refused' && <Fault error={state.error} retry={retry} />}
        {state.phase === 'answered' && (
          <>
            {isStale && <p className="notice warn small">{words.stale}</p>}
            {call ? (
              <Answer call={call} schema={schema} sent={state.sent} />
            ) : (
              <NotCalled trial={state.trial} />
            )}
            {call?.status === 'success' && !isStale && children}
          </>
        )}
      </div>
    </section>
  );
}

function Answer({
  call,
  schema,
  sent,
}: {
  readonly call: NonNullable<Trial['call']>;
  readonly schema: Record<string, unknown>;
  readonly sent: TrialBody;
}) {
  const words = adminText.algorithms;
  const code = call.error_code ?? '';
  return (
    <>
      {call.status === 'success' ? (
        <p className="notice good small">
          {Object.keys(schema).length > 0 ? words.matches : words.anyMatches}
        </p>
      ) : (
        <div className="notice bad" role="alert">
          <h3>{text.results.failures[code] ?? text.results.failed}</h3>
          <p>{call.error_message}</p>
          <Findings findings={call.output_findings} />
        </div>
      )}
      {call.answered && (
        <>
          <p className="small">{words.answered(call.answered.status)}</p>
          {call.answered.text !== '' && (
            <pre className="code" tabIndex={0}>
              <code>{call.answered.text}</code>
            </pre>
          )}
        </>
      )}
      {call.output_data && (
        <OutputView output={call.output_data} schema={schema} input={sent.call?.input_data} />
      )}
    </>
  );
}

function NotCalled({ trial }: { readonly trial: Trial }) {
  const words = adminText.algorithms;
  return (
    <div className="notice bad" role="alert">
      <h3>{words.notCalled}</h3>
      <Findings findings={trial.findings} />
    </div>
  );
}

function Findings({ findings }: { readonly findings: Trial['findings'] }) {
  if (findings.length === 0) return null;
  return (
    <ul className="small findings">
      {findings.map(({ pointer, message }) => (
        <li key={pointer + message}>
          <code>{pointer.replace(/^\/body(\/call)?/, '') || '/'}</code> {message}
        </li>
      ))}
    </ul>
  );
}
