import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callQuery } from '../api/queries.ts';
import { Panel } from '../parts/panel.tsx';
import { Fault, Skeleton } from '../parts/states.tsx';
import { FailedCall } from '../playground/failures.tsx';
import { text } from '../texts/text.ts';
import { useAlgorithmNames } from './algorithm-names.ts';
import { CallFacts, Payload, RunAgain, Running, useVersionOf } from './call-parts.tsx';

/** A call beside the list from which it was opened. */
export function CallPanel(props: {
  readonly callId: string;
  readonly ids: readonly string[];
  readonly open: (id: string) => void;
  readonly close: () => void;
}) {
  const { callId, ids, open, close } = props;
  const { data: call, error, refetch } = useQuery(callQuery(callId));
  const { version } = useVersionOf(call);
  const name = useAlgorithmNames(call ? [call.algorithm_id] : []).get(call?.algorithm_id ?? '');
  return (
    <Panel title={name ?? text.call.title} ids={ids} id={callId} open={open} close={close}>
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
          {call.status === 'running' && <Running />}
          {call.status === 'failed' && <FailedCall call={call} />}
          <Payload title={text.call.input} value={call.input_data} schema={version?.input_schema} />
          <Payload title={text.call.parameters} value={call.params} />
          {call.status === 'success' && (
            <Payload title={text.call.output} value={call.output_data} schema={version?.output_schema} />
          )}
        </>
      )}
    </Panel>
  );
}
