import { isIP } from 'node:net';
import { Forbidden, Problem, ValidationFailed, type UserPrincipal } from '../../core/index.ts';
import { callerOf, type Caller } from './rules/caller.ts';
import type { RuleSubjects } from './rules/rule-subjects.ts';
import type { CheckRequest } from './schemas.ts';

/** Whose call a dry run judges. */
export interface JudgedCaller {
  readonly caller: Caller;
  readonly principal: UserPrincipal;
  /** Why no request with the API key is taken at all. */
  readonly refusal?: Problem | undefined;
}

/**
 * The caller of a dry run: the principal, or another caller that an administrator names. The owner of a named key may
 * be left out, and the restrictions of the key apply. Throws `Forbidden` when a user names another caller, and
 * `ValidationFailed` for an unknown user or key and an invalid address.
 */
export async function dryRunCaller(
  subjects: RuleSubjects,
  principal: UserPrincipal,
  ownAddress: string,
  request: CheckRequest,
): Promise<JudgedCaller> {
  const { user_id, api_key_id, address = ownAddress, algorithm_id = '' } = request;
  const others = [user_id, api_key_id, request.address].some((value) => value !== undefined);
  if (others && principal.role !== 'admin') {
    throw Forbidden('Only administrators may ask about other users, keys and addresses. Leave them out.');
  }
  if (request.address !== undefined && (address.includes('%') || isIP(address) === 0)) {
    throw refused('address', `"${address}" must be one IP address`);
  }
  const own = callerOf(principal, address, algorithm_id);
  if (api_key_id !== undefined) return callerWithKey(subjects, principal, own, api_key_id, user_id);
  if (user_id === undefined) return { caller: own, principal };
  await subjects.check('user', user_id, '/body/user_id');
  return {
    caller: { ...own, userId: user_id, apiKeyId: undefined },
    principal: { ...(await subjects.principalOf(user_id)), resources: principal.resources },
  };
}

async function callerWithKey(
  subjects: RuleSubjects,
  { resources: own }: UserPrincipal,
  asking: Caller,
  apiKeyId: string,
  userId: string | undefined,
): Promise<JudgedCaller> {
  await subjects.check('api_key', apiKeyId, '/body/api_key_id');
  const owner = await subjects.ownerOf(apiKeyId);
  if (owner === undefined)
    throw refused('api_key_id', `"${apiKeyId}" cannot be judged without the plugin api-keys`);
  if (userId !== undefined && userId !== owner) {
    throw refused('user_id', `"${userId}" must be the owner of the key: leave it out, or name ${owner}`);
  }
  const byKey = subjects.principalOfKey(apiKeyId, asking.address);
  const refusal = await refusalOf(byKey);
  const principal = (refusal ? undefined : await byKey) ?? (await subjects.principalOf(owner));
  // A caller with a restricted key must not learn about algorithms that its own key does not cover.
  const ofKey = principal.resources;
  const resources = own && ofKey ? new Set([...ofKey].filter((id) => own.has(id))) : (own ?? ofKey);
  return { caller: { ...asking, userId: owner, apiKeyId }, principal: { ...principal, resources }, refusal };
}

/** The problem with which something is refused; `undefined` when it is not. Throws faults of the service. */
export async function refusalOf(work: Promise<unknown>): Promise<Problem | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return error;
    throw error;
  }
}

function refused(field: string, message: string): Error {
  return ValidationFailed(`The question cannot be answered: ${field} ${message}.`, {
    errors: [{ pointer: `/body/${field}`, message: `${message}.` }],
  });
}
