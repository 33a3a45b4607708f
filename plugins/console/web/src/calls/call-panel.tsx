import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import { callQuery } from '../api/queries.ts';
import { Icon } from '../parts/icon.tsx';
import { Fault, Skeleton } from '../parts/states.tsx';
import { FailedCall } from '../playground/failures.tsx';
import { text } from '../texts/text.ts';
import { useAlgorithmNames } from './algorithm-names.ts';
import { CallFacts, Payload, RunAgain, useVersionOf } from './call-parts.tsx';

/** A call beside the list from which it was opened. */
export function CallPanel({
  callId,
  ids,
  open,
  close,
}: {
  readonly callId: string;
  /** The calls of the page, to go to the one before or after. */
  readonly ids: readonly string[];
  readonly open: (id: string) => void;
  readonly close: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Back closes it as well, and what had the focus before has it again.
    return () => element?.close();
  }, []);
  const { data: call, error, refetch } = useQuery(callQuery(callId));
  const { version } = useVersionOf(call);
  const name = useAlgorithmNames(call ? [call.algorithm_id] : []).get(call?.algorithm_id ?? '');
  const place = ids.indexOf(callId);
  const go = (label: string, id: string | undefined, mark: string) => (
    <button
      type="button"
      className="button small icon"
      aria-label={label}
      title={label}
      disabled={id === undefined}
      onClick={() => id !== undefined && open(id)}
    >
      {mark}
    </button>
  );
  return (
    <dialog
      ref={dialog}
      className="panel"
      aria-labelledby="panel-title"
      onClose={close}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <div className="stack">
        <div className="row between">
          <h2 id="panel-title">{name ?? text.call.title}</h2>
          <div className="row">
            {go(text.call.newer, ids[place - 1], '↑')}
            {go(text.call.older, place < 0 ? undefined : ids[place + 1], '↓')}
            <button
              type="button"
              className="button small icon"
              aria-label={text.call.close}
              onClick={() => dialog.current?.close()}
            >
              <Icon name="close" size={16} />
            </button>
          </div>
        </div>
        {error && <Fault error={error} retry={() => void refetch()} />}
        {!call && !error && <Skeleton style={{ height: 480, borderRadius: 14 }} />}
        {call && (
          <>
            <CallFacts call={call} />
            <div className="row">
              <Link to="/calls/$callId" params={{ callId: call.id }} className="button small">
                {text.history.open}
              </Link>
              <RunAgain call={call} />
            </div>
            {call.status === 'failed' && <FailedCall call={call} />}
            <Payload title={text.call.input} value={call.input_data} schema={version?.input_schema} />
            <Payload title={text.call.parameters} value={call.params} />
            {call.status === 'success' && (
              <Payload title={text.call.output} value={call.output_data} schema={version?.output_schema} />
            )}
          </>
        )}
      </div>
    </dialog>
  );
}
