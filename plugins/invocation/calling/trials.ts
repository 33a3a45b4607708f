import { Bulkhead, newId, Overloaded } from '../../../core/index.ts';
import type { TrialCall, TrialOutcome } from '../../catalogue/contract.ts';
import { contextOf, type PreparedCall } from '../contract.ts';
import type { Passage } from './passage.ts';
import type { UnrecordedCallDeps } from './unrecorded.ts';

/** Trials that ask endpoints at once in one process, and those that wait for them. */
const MOST = 4;
const MOST_WAITING = 8;
const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 1_048_576;

export interface TrialDeps extends Pick<UnrecordedCallDeps, 'sendUnrecorded' | 'settings' | 'clock'> {
  readonly passage: Pick<Passage, 'receive'>;
}

/**
 * Makes what calls versions that are not saved: without a record, and a few at a time. Guards receive a trial, so that a caller
 * whom they refuse stays refused; the trial spends nothing there.
 */
export function createTrials({
  sendUnrecorded,
  settings,
  clock,
  passage,
}: TrialDeps): (trial: TrialCall) => Promise<TrialOutcome> {
  const bulkhead = new Bulkhead({
    limit: MOST,
    queueLimit: MOST_WAITING,
    refuse: () =>
      Overloaded('Many endpoints are being tried. Try again in a moment.', {
        headers: { 'Retry-After': '5' },
      }),
  });
  return async (trial) => {
    const { signal } = trial.request;
    const limits = {
      timeoutMs: Math.min(settings.timeout_ms, TIMEOUT_MS),
      maxOutputBytes: Math.min(settings.max_output_bytes, MAX_OUTPUT_BYTES),
      signal,
    };
    const call = preparedTrial(trial, newId(clock.now()));
    await passage.receive(call);
    return bulkhead.run(async () => {
      const outcome = await sendUnrecorded(call, limits);
      if (outcome.ok || outcome.reasonForManagers === undefined) return outcome;
      return { ...outcome, message: `${outcome.message} ${outcome.reasonForManagers}` };
    }, signal);
  };
}

function preparedTrial(
  { principal, callable, input_data, params, request }: TrialCall,
  id: string,
): PreparedCall {
  const { algorithm, version } = callable;
  return {
    id,
    principal,
    request: { algorithm_id: algorithm.id, version_id: version.id, input_data, params },
    context: contextOf(request, 'direct'),
    answerHeaders: {},
    // Who tries a version is shown the answer also where the output schema does not allow it.
    callable: { ...callable, checkOutput: () => [] },
    params,
    json: { input: JSON.stringify(input_data), params: JSON.stringify(params) },
    payloadPolicy: null,
  };
}
