import { Forbidden, ValidationFailed, type UserPrincipal } from '../../../core/index.ts';
import type { AlgorithmRights, CallableVersion, Catalogue, SchemaFinding } from '../../catalogue/contract.ts';
import { AlgorithmInactive, type CallRequest } from '../contract.ts';

/** A call that passed the checks: its version, and its params with defaults. */
export interface CheckedCall {
  readonly callable: CallableVersion;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Checks a call before anything is sent, in this order: algorithm and version (404), state (409), permission (403),
 * params (422), input (422).
 */
export async function checkCall(
  { catalogue, rights }: { readonly catalogue: Catalogue; readonly rights: AlgorithmRights },
  principal: UserPrincipal,
  request: CallRequest,
): Promise<CheckedCall> {
  const callable = await catalogue.callable(request.algorithm_id, request.version_id, principal);
  const { algorithm } = callable;
  if (algorithm.status === 'inactive') {
    throw AlgorithmInactive(
      `The algorithm "${algorithm.name}" is inactive. Ask a manager of the algorithm to activate it.`,
    );
  }
  if (!(await rights.may(principal, algorithm, 'execute'))) {
    throw Forbidden(
      `You may not call the algorithm "${algorithm.name}". Ask a manager of the algorithm for "execute".`,
    );
  }
  const { params, findings } = callable.completeParams(request.params ?? {});
  refuse('params', findings);
  refuse('input_data', await callable.checkInput(request.input_data));
  return { callable, params };
}

function refuse(field: 'params' | 'input_data', findings: readonly SchemaFinding[]): void {
  const first = findings[0];
  if (!first) return;
  const errors = findings.map(({ pointer, message }) => ({ pointer: `/body/${field}${pointer}`, message }));
  throw ValidationFailed(
    `The version does not accept these ${field}: ${errors[0]!.pointer} ${first.message}`,
    {
      errors,
    },
  );
}
