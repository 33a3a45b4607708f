import { Forbidden, InsufficientScope, Unauthenticated } from '../errors/core-problems.ts';
import type { Problem } from '../errors/problem.ts';
import type { AccessRule } from './access-rule.ts';
import type { Permission, PermissionDecider } from './permission.ts';
import type { Principal, UserPrincipal } from './principal.ts';
import type { Scope } from './scope.ts';

type PathValues = Readonly<Record<string, string>>;

/** The parts of an operation that authorisation needs. */
export interface GuardedOperation {
  readonly access: AccessRule;
  readonly scope: Scope;
  /** Whether it keeps to the resources of a principal that is restricted to some. */
  readonly heedsResources?: boolean;
}

/**
 * Throws `Unauthenticated` for an anonymous caller, `Forbidden` for an account without the right, `InsufficientScope` for
 * an account with the right whose credential lacks the scope or is restricted to resources that the
 * operation does not heed. Administrators have every permission; other accounts, and administrators
 * with a restricted credential, have it when one decider grants it. An unknown rule refuses every
 * request. Returns a plain value when the deciders do.
 */
export function authorise(
  { access: rule, scope, heedsResources }: GuardedOperation,
  principal: Principal,
  path: PathValues,
  deciders: readonly PermissionDecider[],
): void | Promise<void> {
  if (rule === 'public' || rule === 'anonymous') return;
  if (principal.kind !== 'user') {
    throw Unauthenticated(
      'Sign in first: send `Authorization: Bearer <token>`, or an API key as `X-API-Key`.',
    );
  }
  if (!isPermission(rule) && !satisfies(rule, principal)) throw refusal(rule, principal);
  demandScope(principal, scope);
  if (principal.resources !== undefined && !heedsResources) {
    throw InsufficientScope(
      'The API key is restricted to some algorithms, and this operation is not about single algorithms. Use a key without that restriction.',
    );
  }
  if (isPermission(rule)) return demand(rule, principal, path, deciders);
}

function isPermission(rule: AccessRule | undefined): rule is Permission {
  return typeof rule === 'object' && rule?.kind === 'permission';
}

function satisfies(rule: Exclude<AccessRule, Permission>, principal: UserPrincipal): boolean {
  if (rule === 'user') return true;
  if (rule === 'account') return principal.via === 'token' || principal.via === 'session';
  return rule === 'admin' && principal.role === 'admin';
}

function refusal(rule: AccessRule, { via }: UserPrincipal): Problem {
  if (rule === 'account') {
    const credential = via === 'api-key' ? 'An API key' : `A sign-in by "${via}"`;
    return Forbidden(
      `${credential} may not manage keys or passwords. Use a bearer token or a session of this service instead.`,
    );
  }
  return Forbidden('Only administrators may do this.');
}

/** Throws `InsufficientScope` when the credential is restricted to other scopes. */
export function demandScope({ scopes }: UserPrincipal, scope: Scope): void {
  if (scopes === undefined || scopes.includes(scope)) return;
  throw InsufficientScope(
    `This needs the scope "${scope}", and the API key has only ${scopes.join(', ')}. ` +
      `Create a key with the scope "${scope}" for it.`,
  );
}

function demand(
  permission: Permission,
  principal: UserPrincipal,
  path: PathValues,
  deciders: readonly PermissionDecider[],
): void | Promise<void> {
  if (principal.role === 'admin' && principal.resources === undefined) return;
  const able = deciders.filter((decider) => decider.permission.id === permission.id);
  return askFrom(0, able, permission, principal, path);
}

function askFrom(
  first: number,
  able: readonly PermissionDecider[],
  permission: Permission,
  principal: UserPrincipal,
  path: PathValues,
): void | Promise<void> {
  for (let index = first; index < able.length; index++) {
    const answer = able[index]!.decide(principal, path);
    if (answer === true) return;
    if (answer !== false) {
      return answer.then((allowed) =>
        allowed ? undefined : askFrom(index + 1, able, permission, principal, path),
      );
    }
  }
  throw Forbidden(
    `This needs the permission "${permission.id}" (${permission.description}). An administrator can grant it.`,
  );
}
