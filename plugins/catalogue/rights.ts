import {
  definePermission,
  type Principal,
  type UserPrincipal,
  type PERMISSION_DECIDERS,
  type ServiceOf,
} from '../../core/index.ts';
import type { AccessKind, AccessPolicy, Algorithm, AlgorithmRights, Catalogue } from './contract.ts';

/** The right to change an algorithm and its versions. */
export const MANAGE = definePermission(
  'catalogue:manage',
  'change and delete the algorithm and its versions; the grant "manage" on the algorithm gives it',
);

/** Whether any policy allows it. Returns no promise unless a policy does. */
function anyAllows(
  policies: readonly AccessPolicy[],
  principal: UserPrincipal,
  algorithmId: string,
  kind: AccessKind,
): boolean | Promise<boolean> {
  const [policy, ...others] = policies;
  if (policy === undefined) return false;
  const allowed = policy.allows(principal, algorithmId, kind);
  if (allowed === true) return true;
  if (allowed === false) return anyAllows(others, principal, algorithmId, kind);
  return allowed.then((yes) => yes || anyAllows(others, principal, algorithmId, kind));
}

/** The algorithms to which the credential of a principal is restricted; undefined for no restriction. */
export function coveredBy(principal: Principal): ReadonlySet<string> | undefined {
  return principal.kind === 'user' ? principal.resources : undefined;
}

export class PolicyRights implements AlgorithmRights {
  readonly #policies: readonly AccessPolicy[];

  constructor(policies: readonly AccessPolicy[]) {
    this.#policies = policies;
  }

  may(principal: Principal, algorithm: Algorithm, kind: AccessKind): boolean | Promise<boolean> {
    if (coveredBy(principal)?.has(algorithm.id) === false) return false;
    if (kind === 'read' && algorithm.access !== 'private') return true;
    if (principal.kind === 'anonymous') return false;
    if (principal.role === 'admin') return true;
    if (kind === 'execute' && algorithm.access === 'open') return true;
    return anyAllows(this.#policies, principal, algorithm.id, kind);
  }
}

/** Decides `manage` by the rights on the algorithm. An algorithm that is unknown to the caller is 404 and not 403. */
export function manageDecider(deps: {
  catalogue: Catalogue;
  rights: AlgorithmRights;
}): ServiceOf<typeof PERMISSION_DECIDERS> {
  return {
    permission: MANAGE,
    decide: async (principal, path) => {
      const algorithm = await deps.catalogue.algorithm(path['algorithm_id'] ?? '', principal);
      return await deps.rights.may(principal, algorithm, 'manage');
    },
  };
}
