import { Bulkhead, Overloaded, type Clock } from '../../../core/index.ts';
import { AlgorithmNotFound, type TrialCall, type TrialOutcome } from '../../catalogue/contract.ts';
import type { InvocationSettings } from '../config.ts';
import { contextOf, type ReceivedCall } from '../contract.ts';
import type { PayloadReducer } from '../payload/reducer.ts';
import { explained, type CheckDeps } from './checks.ts';
import type { GuardSteps } from './guards.ts';
import { preparedCall } from './prepared-call.ts';
import { limitsOf, type Sender } from './sending.ts';

/** Trials that ask endpoints at once in one process, and those that wait for them. */
const MOST = 4;
const MOST_WAITING = 8;
const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 1_048_576;

export interface TrialDeps extends Pick<CheckDeps, 'rights'> {
  readonly guards: Pick<GuardSteps, 'receive'>;
  readonly payloads: Pick<PayloadReducer, 'policyOf'>;
  /** Sends without guards and without the journal. */
  readonly sendUnrecorded: Sender;
  readonly settings: Pick<InvocationSettings, 'timeout_ms' | 'max_output_bytes'>;
  readonly clock: Clock;
}

/**
 * Makes what calls versions that are not saved: without a record, and a few at a time. Guards receive a trial, so that a caller
 * whom they refuse stays refused; the trial spends nothing there.
 */
export function createTrials(deps: TrialDeps): (trial: TrialCall) => Promise<TrialOutcome> {
  const { guards, sendUnrecorded, clock } = deps;
  const bulkhead = new Bulkhead({
    limit: MOST,
    queueLimit: MOST_WAITING,
    refuse: () =>
      Overloaded('Many endpoints are being tried. Try again in a moment.', {
        headers: { 'Retry-After': '5' },
      }),
  });
  const settings = {
    timeout_ms: Math.min(deps.settings.timeout_ms, TIMEOUT_MS),
    max_output_bytes: Math.min(deps.settings.max_output_bytes, MAX_OUTPUT_BYTES),
  };
  const payloads = { policyOf: (algorithmId: string) => policyIfSaved(deps.payloads, algorithmId) };
  return async ({ principal, callable, input_data, params, request }) => {
    const { algorithm, version } = callable;
    const received: ReceivedCall = {
      principal,
      request: { algorithm_id: algorithm.id, version_id: version.id, input_data, params },
      context: contextOf(request, 'direct'),
      answerHeaders: {},
    };
    await guards.receive(received);
    return bulkhead.run(async () => {
      // Who tries a version is shown the answer also where the output schema does not allow it.
      const unchecked = { ...callable, checkOutput: () => [] };
      const call = await preparedCall({ payloads, clock }, received, unchecked, params);
      return explained(deps, call, await sendUnrecorded(call, limitsOf(settings, call)));
    }, request.signal);
  };
}

/** The payload policy of an algorithm; null also where, like its version, the algorithm is not saved. */
async function policyIfSaved(payloads: TrialDeps['payloads'], algorithmId: string) {
  try {
    return await payloads.policyOf(algorithmId);
  } catch (error) {
    if (AlgorithmNotFound.is(error)) return null;
    throw error;
  }
}
