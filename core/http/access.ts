import type { AccessRule } from '../auth/access-rule.ts';
import type { PermissionDecider } from '../auth/permission.ts';
import { anonymous, type Principal, type UserPrincipal } from '../auth/principal.ts';
import type { CredentialSource, CredentialVerifier } from '../auth/verifier.ts';
import { Forbidden, Unauthenticated } from '../errors/problems.ts';
import { isThenable } from './thenable.ts';

type PathValues = Readonly<Record<string, string>>;

/** Finds out who asks: the first verifier that recognises a credential decides. Synchronous when all of them are. */
export function authenticate(
  verifiers: readonly CredentialVerifier[],
  source: CredentialSource,
  from = 0,
): Principal | Promise<Principal> {
  for (let i = from; i < verifiers.length; i += 1) {
    const verdict = verifiers[i]!.verify(source);
    if (isThenable(verdict)) return askRest(verdict, verifiers, source, i + 1);
    if (verdict) return verdict;
  }
  return anonymous;
}

async function askRest(
  verdict: PromiseLike<UserPrincipal | undefined>,
  verifiers: readonly CredentialVerifier[],
  source: CredentialSource,
  next: number,
): Promise<Principal> {
  return (await verdict) ?? authenticate(verifiers, source, next);
}

/** Holds a request against the rule of its route. Throws `Unauthenticated` or `Forbidden`. */
export function authorise(
  rule: AccessRule,
  principal: Principal,
  path: PathValues,
  deciders: readonly PermissionDecider[],
): void | Promise<void> {
  if (rule === 'public') return;
  if (principal.kind === 'anonymous') {
    throw Unauthenticated('Send a bearer token in the Authorization header, or an API key in X-API-Key.');
  }
  if (rule === 'user') return;
  if (rule === 'account') {
    if (principal.via === 'api-key')
      throw Forbidden('An API key may not do this. Sign in with name and password.');
    return;
  }
  if (principal.role === 'admin') return;
  if (rule === 'admin') throw Forbidden('Only administrators may do this.');
  return demand(rule.id, principal, path, deciders);
}

async function demand(
  permission: string,
  principal: UserPrincipal,
  path: PathValues,
  deciders: readonly PermissionDecider[],
): Promise<void> {
  for (const decider of deciders) {
    if (decider.permission.id === permission && (await decider.decide(principal, path))) return;
  }
  throw Forbidden(`You do not hold the permission ${permission} on this.`);
}
