import { Problem, newId, type Clock } from '../../../core/index.ts';
import type { CallableVersion } from '../../catalogue/contract.ts';
import type { InvocationLimits } from '../config.ts';
import type {
  CallGuard,
  CallOutcome,
  ChosenVersion,
  PreparedCall,
  ReceivedCall,
  Undo,
  TransportLimits,
} from '../contract.ts';
import type { PayloadKeeper } from '../payload/keeper.ts';

/** The steps of the guards before a call is sent; `sending.ts` has the last one, `around`. */
export interface Passage {
  receive(call: ReceivedCall): Promise<void>;
  /** The version to call: that of the request, unless a guard chooses another one. */
  chooseVersion(call: ReceivedCall): Promise<ChosenVersion>;
  /** Has the guards admit the call and then sends it. Takes back what they spent when it is refused without being sent. */
  admit(call: PreparedCall, send: () => Promise<CallOutcome>): Promise<CallOutcome>;
}

export function createPassage(guards: readonly CallGuard[]): Passage {
  return {
    receive: async (call) => {
      for (const guard of guards) await guard.receive?.(call);
    },
    chooseVersion: async (call) => {
      for (const guard of guards) {
        const chosen = await guard.chooseVersion?.(call);
        if (chosen !== undefined) return chosen;
      }
      return { versionId: call.request.version_id };
    },
    admit: async (call, send) => {
      const undos: Undo[] = [];
      try {
        for (const guard of guards) {
          const undo = await guard.admit?.(call);
          if (typeof undo === 'function') undos.push(undo);
        }
        return await send();
      } catch (error) {
        for (const undo of undos.toReversed()) await undo(error);
        throw error;
      }
    },
  };
}

/** A refusal with the headers of the guards. */
export function refusalWith(answerHeaders: ReceivedCall['answerHeaders'], error: unknown): unknown {
  if (!(error instanceof Problem) || Object.keys(answerHeaders).length === 0) return error;
  const headers = { ...error.extras.headers, ...answerHeaders };
  return new Problem(error.type, error.message, { ...error.extras, headers, cause: error });
}

/** Makes a call that passed its checks ready to be sent. Throws `StoreUnavailable` when its policy cannot be read. */
export async function preparedCall(
  { payloads, clock }: { readonly payloads: Pick<PayloadKeeper, 'policyOf'>; readonly clock: Clock },
  { principal, request, context, answerHeaders }: ReceivedCall,
  callable: CallableVersion,
  params: PreparedCall['params'],
): Promise<PreparedCall> {
  const payloadPolicy = await payloads.policyOf(callable.algorithm.id);
  const json = { input: JSON.stringify(request.input_data), params: JSON.stringify(params) };
  const id = newId(clock.now());
  // Named one by one: V8 makes a new hidden class on every call for each field that follows a spread.
  return { principal, request, context, answerHeaders, id, callable, params, json, payloadPolicy };
}

/** The limits within which a call is sent. */
export function limitsOf(
  settings: Pick<InvocationLimits, 'timeout_ms' | 'max_output_bytes'>,
  { context }: ReceivedCall,
): TransportLimits {
  return {
    timeoutMs: settings.timeout_ms,
    maxOutputBytes: settings.max_output_bytes,
    signal: context.signal,
  };
}
