import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Call, Version } from '../api/queries.ts';
import { ToHistory } from '../calls/to-history.tsx';
import { StatusBadge } from '../parts/badge.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import { Moment } from '../parts/moment.tsx';
import { Segments } from '../parts/segments.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { showDuration, showTime, text } from '../texts/text.ts';
import type { CallBody } from './code.ts';
import { CodeView } from './code-view.tsx';
import { SaveExample } from '../examples/save-example.tsx';
import { ExampleResult, type ShownExample } from './examples.tsx';
import { FailedCall, Refusal } from './failures.tsx';
import { OUTPUT_VIEWS, OutputView, type OutputShape } from './output-view.tsx';
import type { Run } from './run.ts';

const VIEWS = [...OUTPUT_VIEWS, 'code'] as const;

/** What filled the form in: `nothing` where it is empty, holds defaults alone, or was changed since. */
export type Source = 'example' | 'call' | 'nothing';

interface ResultProps {
  readonly run: Run;
  readonly version: Version;
  /** What would be sent now. */
  readonly body: CallBody;
  /** The example in the form, whose result is shown until there is an own one. */
  readonly example: ShownExample | undefined;
  readonly source: Source;
  readonly retry: () => void;
}

/** The result of the last run, and the call as code. */
export function ResultCard(props: ResultProps) {
  const { run, body, retry } = props;
  const [view, setView] = useShownView();
  const { done } = run;
  useEffect(() => {
    // A run from the code view shows the result.
    if (run.isRunning && view === 'code') setView('preview');
    // oxlint-disable-next-line react/exhaustive-deps -- the code may be looked at while a call runs
  }, [run.isRunning]);
  const card = useRef<HTMLElement>(null);
  const outcome = run.error ?? done;
  useEffect(() => {
    // On a narrow screen the result lies below the form.
    if (outcome && matchMedia('(max-width: 860px)').matches) card.current?.scrollIntoView({ block: 'start' });
  }, [outcome]);
  /** The buttons here go away when they are pressed, and leave the focus to the card. */
  const fromCard = (act: () => void) => (): void => {
    card.current?.focus({ preventScroll: true });
    act();
  };
  return (
    <section
      ref={card}
      className="card result-card"
      aria-label={text.playground.result}
      aria-busy={run.isRunning}
      tabIndex={-1}
    >
      <header>
        <div className="row" role="status">
          <h2>{text.playground.result}</h2>
          {run.isRunning && <span className="visually-hidden">{text.playground.running}</span>}
          {!run.isRunning && !run.error && done && <StatusBadge status={done.call.status} />}
        </div>
        <Segments
          label={text.playground.views}
          options={VIEWS}
          chosen={view}
          choose={setView}
          nameOf={(each) => text.playground[each]}
        />
      </header>
      {run.isRunning && <Running stop={fromCard(run.stop)} />}
      <div className="body stack">
        {view === 'code' ? (
          <CodeView call={body} />
        ) : (
          <Result {...props} shape={view} retry={fromCard(retry)} />
        )}
      </div>
    </section>
  );
}

type ShownView = (typeof VIEWS)[number];

/** The address names how the result is shown. */
function useShownView(): [ShownView, (view: ShownView) => void] {
  const { show = 'preview' } = useSearch({ from: '/algorithms/$algorithmId' });
  const navigate = useNavigate({ from: '/algorithms/$algorithmId' });
  const setShow = (view: ShownView): void =>
    void navigate({
      search: (before) => ({ ...before, show: view === 'preview' ? undefined : view }),
      replace: true,
      resetScroll: false,
    });
  return [show, setShow];
}

/** For how long the call runs, and a way to end it. */
function Running({ stop }: { readonly stop: () => void }) {
  return (
    <div className="running row between small">
      <Waiting>{text.playground.running}</Waiting>
      <button type="button" className="button small danger" onClick={stop}>
        <Icon name="stop" size={14} />
        {text.playground.stop}
      </button>
    </div>
  );
}

function Result({
  run,
  version,
  body,
  example,
  source,
  shape,
  retry,
}: ResultProps & { readonly shape: OutputShape }) {
  const { done, error, isStopped } = run;
  if (error) return <Refusal error={error} retry={retry} />;
  if (!done) {
    return (
      <>
        {isStopped && <Stopped />}
        {example?.example.output_data ? (
          <ExampleResult {...example} shape={shape} schema={version.output_schema} />
        ) : run.isRunning ? (
          <Skeleton style={{ height: 160, borderRadius: 9 }} />
        ) : (
          <Empty icon="play" title={text.playground.emptyTitle}>
            {text.playground.empty[source]}
          </Empty>
        )}
      </>
    );
  }
  const { call } = done;
  const isStale = done.body !== body;
  return (
    <>
      {isStopped && <Stopped />}
      {isStale && !run.isRunning && (
        <p className="notice warn small" role="status">
          {text.playground.stale}
        </p>
      )}
      <RunFacts call={call} />
      <div className={isStale || run.isRunning ? 'stack is-stale' : 'stack'}>
        {call.status === 'failed' ? (
          <FailedCall call={call} retry={run.isRunning ? undefined : retry} />
        ) : (
          <OutputView
            output={call.output_data}
            schema={version.output_schema}
            input={done.body.input_data}
            shape={shape}
          />
        )}
      </div>
    </>
  );
}

function Stopped() {
  return (
    <p className="notice warn small">
      {text.playground.stopped} <ToHistory />
    </p>
  );
}

/** How long it took, when it was, and where the call and its request are found again. */
function RunFacts({ call }: { readonly call: Call }) {
  return (
    <div className="call-facts row small quiet">
      {typeof call.response_time === 'number' && <strong>{showDuration(call.response_time)}</strong>}
      <Moment iso={call.created_at} show={showTime} />
      <Link to="/calls/$callId" params={{ callId: call.id }}>
        {text.results.openCall}
      </Link>
      <span className="row">
        <SaveExample key={call.id} call={call} />
        <CopyButton value={call.request_id} label={text.results.copyRequestId} />
      </span>
    </div>
  );
}
