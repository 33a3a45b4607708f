import { replyBytes, token, type Clock } from '../../../core/index.ts';
import type { Algorithm, VersionTrials } from '../../catalogue/contract.ts';
import type { InvocationSettings } from '../config.ts';
import type { CallGuard, Invoker, PreparedCall, ReceivedCall, UnrecordedCall } from '../contract.ts';
import type { PayloadReducer } from '../payload/reducer.ts';
import { jsonOf, recordOf, rowOf, type CallRow } from '../recording/call-row.ts';
import type { CallRecorder } from '../recording/recorder.ts';
import { CallsInFlight } from './calls-in-flight.ts';
import { checkPayload, checkVersion, explained, type CheckDeps } from './checks.ts';
import { createGuardSteps, refusalWith } from './guards.ts';
import { preparedCall } from './prepared-call.ts';
import { limitsOf, type Sender } from './sending.ts';
import { createTrials } from './trials.ts';

export interface InvokerDeps extends CheckDeps {
  readonly guards: readonly CallGuard[];
  readonly send: Sender;
  /** Sends without guards and without the journal. */
  readonly sendUnrecorded: Sender;
  readonly recorder: CallRecorder;
  readonly payloads: PayloadReducer;
  readonly settings: InvocationSettings;
  readonly clock: Clock;
}

/** A call whose record is durable. */
interface RecordedCall {
  readonly row: CallRow;
  readonly algorithm: Algorithm;
}

/** An invoker whose calls can be awaited at a stop. */
export interface DrainingInvoker extends Invoker {
  /** Calls a version that is not saved. */
  readonly trial: VersionTrials['call'];
  /** Resolves when no call is in flight. */
  idle(): Promise<void>;
}

export const DRAINING_INVOKER = token<DrainingInvoker>('invocation:draining-invoker');

/** Makes the service that calls versions: check, prepare, send, record, answer. */
export function createInvoker(deps: InvokerDeps): DrainingInvoker {
  const { recorder, payloads, settings, clock } = deps;
  const inFlight = new CallsInFlight(settings.max_in_flight_per_version);
  const guards = createGuardSteps(deps.guards);
  const tryOut = createTrials({ ...deps, guards });

  const prepare = async (received: ReceivedCall): Promise<PreparedCall> => {
    const { principal, request } = received;
    await guards.receive(received);
    const { versionId, headers } = await guards.chooseVersion(received);
    const callable = await checkVersion(deps, principal, request.algorithm_id, versionId);
    Object.assign(received.answerHeaders, headers);
    const params = await checkPayload(callable, request);
    await recorder.demandStore();
    return preparedCall(deps, received, callable, params);
  };

  const perform = async (received: ReceivedCall): Promise<RecordedCall> => {
    try {
      const call = await prepare(received);
      const { algorithm, version } = call.callable;
      const { signal } = received.context;
      const ask = () => inFlight.ask(version.id, () => deps.send(call, limitsOf(settings, call)), signal);
      // No variable keeps the parsed output, so that it is freed while its text waits to be recorded.
      const row = rowOf(call, await explained(deps, call, await guards.admit(call, ask)), clock.now());
      await recorder.record(payloads.reduced(row, call.payloadPolicy));
      return { row, algorithm };
    } catch (error) {
      throw refusalWith(received.answerHeaders, error);
    }
  };

  const performUnrecorded = async (received: ReceivedCall): Promise<UnrecordedCall> => {
    const { principal, request } = received;
    const callable = await checkVersion(deps, principal, request.algorithm_id, request.version_id);
    const params = await checkPayload(callable, request);
    const call = await preparedCall(deps, received, callable, params);
    const outcome = await deps.sendUnrecorded(call, limitsOf(settings, call));
    const row = rowOf(call, await explained(deps, call, outcome), clock.now());
    return { record: recordOf(row), kept: recordOf(payloads.reduced(row, call.payloadPolicy)) };
  };

  return {
    call: async (principal, request, context) => {
      const received = { principal, request, context, answerHeaders: {} };
      const { row } = await inFlight.track(() => perform(received));
      return recordOf(row);
    },
    answer: async (principal, request, context) => {
      const received = { principal, request, context, answerHeaders: {} };
      const { row, algorithm } = await inFlight.track(() => perform(received));
      return replyBytes(jsonOf(row), {
        headers: Object.assign(received.answerHeaders, headersOf(row, algorithm)),
      });
    },
    callUnrecorded: (principal, request, context) =>
      inFlight.track(() => performUnrecorded({ principal, request, context, answerHeaders: {} })),
    check: async (principal, algorithmId, versionId) => {
      await checkVersion(deps, principal, algorithmId, versionId);
    },
    trial: (trial) => inFlight.track(() => tryOut(trial)),
    idle: () => inFlight.idle(),
  };
}

function headersOf(call: CallRow, algorithm: Algorithm): Record<string, string> {
  const headers: Record<string, string> = {
    'X-Call-Id': call.id,
    'Server-Timing': `upstream;dur=${(call.response_time * 1000).toFixed(3)}`,
  };
  if (algorithm.status === 'deprecated') {
    // RFC 9745 writes the date as `@` and seconds since 1970.
    headers['Deprecation'] = `@${Math.floor(Date.parse(algorithm.updated_at) / 1000)}`;
  }
  return headers;
}
