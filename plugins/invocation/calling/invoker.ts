import { newId, replyBytes, type Clock, type UserPrincipal } from '../../../core/index.ts';
import type { Algorithm, AlgorithmRights, Catalogue } from '../../catalogue/contract.ts';
import { admit } from './admission.ts';
import { jsonOf, recordOf, type CallRow } from '../recording/call-row.ts';
import { rowOf } from '../recording/row-of-call.ts';
import type { InvocationLimits } from '../config.ts';
import type {
  CallContext,
  CallGuard,
  CallRequest,
  Invoker,
  PreparedCall,
  TransportLimits,
} from '../contract.ts';
import type { InFlight } from './in-flight.ts';
import type { PayloadKeeper } from '../payload/keeper.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { Sender } from './sending.ts';
import { textOf } from './outcome-text.ts';
import { VersionShares } from './version-shares.ts';

export interface InvokerDeps {
  readonly catalogue: Catalogue;
  readonly rights: AlgorithmRights;
  readonly guards: readonly CallGuard[];
  readonly send: Sender;
  readonly recorder: Recorder;
  readonly payloads: PayloadKeeper;
  readonly inFlight: InFlight;
  readonly settings: InvocationLimits;
  readonly clock: Clock;
}

/** A call whose record is durable. */
interface Performed {
  readonly row: CallRow;
  readonly algorithm: Algorithm;
}

/** The invoker as its plugin holds it. */
export interface DrainingInvoker extends Invoker {
  /** Resolves when no call is worked on. */
  idle(): Promise<void>;
}

/** Makes the service that calls algorithm versions and records the calls. */
export function createInvoker(deps: InvokerDeps): DrainingInvoker {
  const { inFlight } = deps;
  const shares = new VersionShares(deps.settings.max_in_flight_per_version, deps.clock);
  const admitting = deps.guards.filter((guard) => guard.admit !== undefined);

  const asking = (call: PreparedCall, limits: TransportLimits) => () => deps.send(call, limits);

  const prepare = async (
    principal: UserPrincipal,
    request: CallRequest,
    context: CallContext,
  ): Promise<PreparedCall> => {
    const { callable, params } = await admit(deps, principal, request);
    await deps.recorder.demandStore();
    const known = deps.payloads.policyOf(callable.algorithm.id);
    const payloadPolicy = known instanceof Promise ? await known : known;
    const json = { input: JSON.stringify(request.input_data), params: JSON.stringify(params) };
    const id = newId(deps.clock.now());
    const call = { id, principal, request, context, callable, params, json, payloadPolicy };
    for (const guard of admitting) await guard.admit!(call);
    return call;
  };

  const perform = async (
    principal: UserPrincipal,
    request: CallRequest,
    context: CallContext,
  ): Promise<Performed> => {
    inFlight.enter();
    try {
      const call = await prepare(principal, request, context);
      const { timeout_ms: timeoutMs, max_output_bytes: maxOutputBytes } = deps.settings;
      const limits = { timeoutMs, maxOutputBytes, signal: context.signal };
      // In no variable, for what was parsed is not to be kept while its text waits for its record.
      const outcome = textOf(await shares.within(call.callable.version.id, asking(call, limits)));
      const row = rowOf(call, outcome, deps.clock.now());
      const { payloadPolicy } = call;
      await deps.recorder.record(payloadPolicy === null ? row : deps.payloads.reduced(row, payloadPolicy));
      return { row, algorithm: call.callable.algorithm };
    } finally {
      inFlight.leave();
    }
  };

  return {
    call: (principal, request, context) =>
      perform(principal, request, context).then(({ row }) => recordOf(row)),
    answer: (principal, request, context) =>
      perform(principal, request, context).then(({ row, algorithm }) =>
        replyBytes(jsonOf(row), { headers: headersOf(row, algorithm) }),
      ),
    idle: () => inFlight.idle(),
  };
}

function headersOf(call: CallRow, algorithm: Algorithm): Record<string, string> {
  const headers: Record<string, string> = {
    'X-Call-Id': call.id,
    'Server-Timing': `upstream;dur=${(call.response_time * 1000).toFixed(3)}`,
  };
  if (algorithm.status === 'deprecated') {
    // RFC 9745: the date is written as seconds after an at sign.
    headers['Deprecation'] = `@${Math.floor(Date.parse(algorithm.updated_at) / 1000)}`;
  }
  return headers;
}
