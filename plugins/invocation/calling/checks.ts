import { Forbidden, ValidationFailed, type UserPrincipal } from '../../../core/index.ts';
import type { AlgorithmRights, CallableVersion, Catalogue, SchemaFinding } from '../../catalogue/contract.ts';
import {
  AlgorithmInactive,
  DEFAULT_VERSION,
  type CallRequest,
  type CallOutcome,
  type PreparedCall,
} from '../contract.ts';

export interface CheckDeps {
  readonly catalogue: Catalogue;
  readonly rights: AlgorithmRights;
}

/** Checks whether an account may call a version now: algorithm and version (404), state (409), permission (403). */
export async function checkVersion(
  { catalogue, rights }: CheckDeps,
  principal: UserPrincipal,
  algorithmId: string,
  versionId: string,
): Promise<CallableVersion> {
  const callable = await (versionId === DEFAULT_VERSION
    ? catalogue.defaultCallable(algorithmId, principal)
    : catalogue.callable(algorithmId, versionId, principal));
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
  return callable;
}

/** Checks what a call gives the version: params (422), then input (422). Returns the params with defaults. */
export async function checkPayload(
  callable: CallableVersion,
  request: CallRequest,
): Promise<Readonly<Record<string, unknown>>> {
  const { params, findings } = callable.completeParams(request.params ?? {});
  refuse('params', findings);
  refuse('input_data', await callable.checkInput(request.input_data));
  return params;
}

function refuse(field: 'params' | 'input_data', findings: readonly SchemaFinding[]): void {
  const first = findings[0];
  if (!first) return;
  const errors = findings.map(({ pointer, message }) => ({ pointer: `/body/${field}${pointer}`, message }));
  throw ValidationFailed(`The version rejects the given ${field}: ${errors[0]!.pointer} ${first.message}`, {
    errors,
  });
}

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
