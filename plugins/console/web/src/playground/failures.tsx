import { useState, type ReactNode } from 'react';
import { ApiError } from '../api/client.ts';
import type { Call } from '../api/queries.ts';
import { ToHistory } from '../calls/to-history.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Fault, ProblemFacts, Retry, useCountdown } from '../parts/states.tsx';
import { showProblem, showTime, text } from '../texts/text.ts';

/** Faults that leave it unknown what the algorithm did. */
const UNKNOWN = new Set(['upstream_timeout', 'canceled', 'interrupted']);
const INPUT = new Set(['upstream_rejected']);

/** A call that was recorded, and failed: what happened, and what to do next. */
export function FailedCall({
  call,
  retry,
}: {
  readonly call: Call;
  readonly retry?: (() => void) | undefined;
}) {
  const code = call.error_code ?? '';
  return (
    <div className="notice bad" role="alert">
      <h3>{text.results.failures[code] ?? text.results.failed}</h3>
      <p>{call.error_message}</p>
      <p>{adviceFor(code)}</p>
      <p className="small quiet">
        <code>{code}</code> · {text.errors.requestId} <code>{call.request_id}</code>
      </p>
      {retry && !INPUT.has(code) && <Retry after={call.retry_after} retry={retry} />}
    </div>
  );
}

function adviceFor(code: string): string {
  if (UNKNOWN.has(code)) return text.results.outcomeUnknown;
  return INPUT.has(code) ? text.results.changeInput : text.results.tellManager;
}

/** A call that the service did not take or did not answer: which field is wrong, when to come again, or where to look. */
export function Refusal({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  if (!(error instanceof ApiError)) {
    return (
      <>
        <Fault error={error} retry={retry} />
        <MayBeInHistory>{text.results.noAnswer}</MayBeInHistory>
      </>
    );
  }
  if (error.status === 404) return <Fault error={error} retry={retry} />;
  return (
    <>
      <Refused error={error} title={titleOf(error)} retry={retry}>
        <FieldErrors error={error} />
      </Refused>
      {isUnknown(error) && <MayBeInHistory>{text.results.outcomeUnknown}</MayBeInHistory>}
    </>
  );
}

/** A request that the service refused: why, when to come again, and what the operator finds it by. */
export function Refused(props: {
  readonly error: ApiError;
  readonly title: string;
  readonly retry: () => void;
  readonly children?: ReactNode;
}) {
  const { error, title, retry, children } = props;
  const isLimit = error.status === 429 || error.status === 503;
  return (
    <div className={isLimit ? 'notice warn' : 'notice bad'} role="alert">
      <h3>{title}</h3>
      <p>{error.message}</p>
      {children}
      {isLimit && error.retryAfter !== undefined && <ComeAgain after={error.retryAfter} />}
      <ProblemFacts error={error} />
      {error.requestId !== undefined && error.status >= 500 && (
        <div>
          <CopyButton value={error.requestId} label={text.results.copyRequestId} />
        </div>
      )}
      {(error.status === 429 || error.status >= 500) && <Retry after={error.retryAfter} retry={retry} />}
    </div>
  );
}

/** Whether the call may have been made: a proxy gave up waiting, or the service broke while it answered. */
function isUnknown({ status }: ApiError): boolean {
  return status === 500 || status === 502 || status === 504 || status === 408;
}

function titleOf({ status, errors, code, title }: ApiError): string {
  if (errors.length > 0) return text.playground.invalidTitle;
  if (status === 504 || status === 408) return text.results.timedOutTitle;
  return showProblem(code, title) || text.playground.refusedTitle;
}

function FieldErrors({ error }: { readonly error: ApiError }) {
  if (error.errors.length === 0) return null;
  return (
    <ul className="stack small">
      {error.errors.slice(0, 20).map(({ pointer, message }) => (
        <li key={pointer + message}>
          <code>{pointer.replace(/^\/body/, '')}</code> {message}
        </li>
      ))}
    </ul>
  );
}

function ComeAgain({ after }: { readonly after: number }) {
  const [until] = useState(() => new Date(Date.now() + after * 1000).toISOString());
  const isOver = useCountdown(after) === 0;
  return <p role="status">{isOver ? text.results.mayRunAgain : text.results.comeAgain(showTime(until))}</p>;
}

function MayBeInHistory({ children }: { readonly children: ReactNode }) {
  return (
    <p className="small">
      {children} <ToHistory />
    </p>
  );
}
