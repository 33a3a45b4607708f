import { Problem } from '../../../core/index.ts';
import type { CallGuard, CallOutcome, ChosenVersion, PreparedCall, ReceivedCall, Undo } from '../contract.ts';

/** The steps of the guards before a call is sent; `sending.ts` has the last one, `around`. */
export interface GuardSteps {
  receive(call: ReceivedCall): Promise<void>;
  /** The version to call: that of the request, unless a guard chooses another one. */
  chooseVersion(call: ReceivedCall): Promise<ChosenVersion>;
  /** Has the guards admit the call and then sends it. Takes back what they spent when it is refused without being sent. */
  admit(call: PreparedCall, send: () => Promise<CallOutcome>): Promise<CallOutcome>;
}

export function createGuardSteps(guards: readonly CallGuard[]): GuardSteps {
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
