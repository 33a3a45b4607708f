import type { AlgorithmRights } from '../../catalogue/contract.ts';
import type { CallOutcome, PreparedCall } from '../contract.ts';

/** Adds the reason of a failure to its message where the caller manages the algorithm. */
export async function explained(
  { rights }: { readonly rights: AlgorithmRights },
  { principal, callable }: PreparedCall,
  outcome: CallOutcome,
): Promise<CallOutcome> {
  if (outcome.ok || outcome.reasonForManagers === undefined) return outcome;
  if (!(await rights.may(principal, callable.algorithm, 'manage'))) return outcome;
  return { ...outcome, message: `${outcome.message} ${outcome.reasonForManagers}` };
}
