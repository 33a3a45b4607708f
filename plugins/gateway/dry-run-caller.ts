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
  const { resources } = principal;
  if (api_key_id !== undefined) {
    const ofKey = await keyCaller(subjects, api_key_id, user_id);
    const byKey = await principalByKey(subjects, api_key_id, address);
    const judged = byKey.principal ?? (await subjects.principalOf(ofKey.userId));
    return {
      caller: { ...own, ...ofKey },
      principal: { ...judged, resources: common(resources, judged.resources) },
      refusal: byKey.refusal,
    };
  }
  if (user_id === undefined) return { caller: own, principal };
  await subjects.check('user', user_id, '/body/user_id');
  return {
    caller: { ...own, userId: user_id, apiKeyId: undefined },
    principal: { ...(await subjects.principalOf(user_id)), resources },
  };
}

async function keyCaller(
  subjects: RuleSubjects,
  apiKeyId: string,
  userId: string | undefined,
): Promise<Pick<Caller, 'userId' | 'apiKeyId'>> {
  await subjects.check('api_key', apiKeyId, '/body/api_key_id');
  const owner = (await subjects.ownerOf(apiKeyId)) ?? userId;
  if (owner === undefined) {
    throw refused('user_id', 'is needed beside the key, whose owner is not known here');
  }
  if (userId !== undefined && userId !== owner) {
    throw refused('user_id', `"${userId}" must be the owner of the key: leave it out, or name ${owner}`);
  }
  return { userId: owner, apiKeyId };
}

async function principalByKey(
  subjects: RuleSubjects,
  apiKeyId: string,
  address: string,
): Promise<{ readonly principal?: UserPrincipal | undefined; readonly refusal?: Problem }> {
  try {
    return { principal: await subjects.principalOfKey(apiKeyId, address) };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return { refusal: error };
  }
}

/** What both restrictions cover: one may not learn by another key what the own one does not cover. */
function common(
  own: ReadonlySet<string> | undefined,
  judged: ReadonlySet<string> | undefined,
): ReadonlySet<string> | undefined {
  if (own === undefined || judged === undefined) return own ?? judged;
  return new Set([...judged].filter((id) => own.has(id)));
}

function refused(field: string, message: string): Error {
  return ValidationFailed(`The question cannot be answered: ${field} ${message}.`, {
    errors: [{ pointer: `/body/${field}`, message: `${message}.` }],
  });
}
