import type { Clock } from '../../../core/index.ts';
import type { InvocationLimits } from '../config.ts';
import type { ReceivedCall, UnrecordedCall } from '../contract.ts';
import type { PayloadKeeper } from '../payload/keeper.ts';
import { recordOf, rowOf } from '../recording/call-row.ts';
import { checkPayload, checkVersion, type CheckDeps, explained } from './checks.ts';
import { limitsOf, preparedCall } from './passage.ts';
import type { Sender } from './sending.ts';

export interface UnrecordedCallDeps extends CheckDeps {
  readonly payloads: PayloadKeeper;
  /** Sends without guards and without the journal. */
  readonly sendUnrecorded: Sender;
  readonly settings: InvocationLimits;
  readonly clock: Clock;
}

/** Calls a version without guards and without a record. */
export async function performUnrecorded(
  deps: UnrecordedCallDeps,
  received: ReceivedCall,
): Promise<UnrecordedCall> {
  const { principal, request } = received;
  const callable = await checkVersion(deps, principal, request.algorithm_id, request.version_id);
  const params = await checkPayload(callable, request);
  const call = await preparedCall(deps, received, callable, params);
  const outcome = await deps.sendUnrecorded(call, limitsOf(deps.settings, call));
  const row = rowOf(call, await explained(deps, call, outcome), deps.clock.now());
  const record = recordOf(row);
  const policy = call.payloadPolicy;
  return { record, kept: policy === null ? record : recordOf(deps.payloads.reduced(row, policy)) };
}
