import { Forbidden, token, ValidationFailed, type Author, type UserPrincipal } from '../../core/index.ts';
import { AlgorithmNotFound, type AlgorithmRights, type Catalogue } from '../catalogue/contract.ts';
import type { Grantee, Grantees } from './grantees.ts';
import type { Grants } from './grants.ts';
import { GrantExists, GrantNotFound } from './problems.ts';
import type { Grant, GrantChanges, GrantFilter, NewGrant } from './schemas.ts';

/** Grants and revokes rights, for administrators and managers of the algorithm. */
export class GrantService {
  readonly #grants: Grants;
  readonly #grantees: Grantees;
  readonly #catalogue: Catalogue;
  readonly #rights: AlgorithmRights;

  constructor(deps: { grants: Grants; grantees: Grantees; catalogue: Catalogue; rights: AlgorithmRights }) {
    this.#grants = deps.grants;
    this.#grantees = deps.grantees;
    this.#catalogue = deps.catalogue;
    this.#rights = deps.rights;
  }

  /** Throws 403, 404 and 409 problems. */
  async grant(principal: UserPrincipal, input: NewGrant, by: Author): Promise<Grant> {
    await this.#demandManage(principal, input.algorithm_id);
    refuseOwn(await this.#own(principal), input);
    return await this.#grants.create(input, principal.userId, by);
  }

  /** Throws 403, 404 and 422 problems. */
  async list(principal: UserPrincipal, filter: GrantFilter): Promise<{ grants: Grant[]; total: number }> {
    if (filter.algorithm_id !== undefined) await this.#demandManage(principal, filter.algorithm_id);
    else if (principal.role !== 'admin') {
      throw ValidationFailed('Name the algorithm; only administrators may list the grants on all of them.', {
        errors: [{ pointer: '/query/algorithm_id', message: 'is required.' }],
      });
    }
    return await this.#grants.list(filter);
  }

  /** Throws `GrantNotFound`, also for a grant on an algorithm that the principal does not manage. */
  async find(principal: UserPrincipal, grantId: string): Promise<Grant> {
    const grant = await this.#grants.find(grantId);
    if (grant && (await this.#manages(principal, grant.algorithm_id))) return grant;
    throw notFound(grantId);
  }

  /** Throws what `find` throws, 409 and 422 problems. */
  async change(principal: UserPrincipal, grantId: string, changes: GrantChanges, by: Author): Promise<Grant> {
    await this.find(principal, grantId);
    const own = await this.#own(principal);
    const changed = await this.#grants.change(grantId, changes, {
      by,
      check: (before, after) => {
        refuseOwn(own, before);
        refuseOwn(own, after);
      },
    });
    if (changed) return changed;
    throw notFound(grantId);
  }

  /** Throws what `find` throws. */
  async revoke(principal: UserPrincipal, grantId: string, by: Author): Promise<void> {
    if (await this.#grants.remove(await this.find(principal, grantId), by)) return;
    throw notFound(grantId);
  }

  /** The grantees by which the principal may hold the right to manage; none for administrators, who need no grant. */
  async #own({ role, userId }: UserPrincipal): Promise<readonly Grantee[]> {
    return role === 'admin' ? [] : this.#grantees.of(userId);
  }

  /** Whether the principal manages an algorithm. Only administrators manage a deleted one. */
  async #manages(principal: UserPrincipal, algorithmId: string): Promise<boolean> {
    if (principal.role === 'admin') return true;
    try {
      return await this.#rights.may(principal, await this.#catalogue.algorithm(algorithmId), 'manage');
    } catch (error) {
      if (AlgorithmNotFound.is(error)) return false;
      throw error;
    }
  }

  async #demandManage(principal: UserPrincipal, algorithmId: string): Promise<void> {
    const algorithm = await this.#catalogue.algorithm(algorithmId, principal);
    if (await this.#rights.may(principal, algorithm, 'manage')) return;
    throw Forbidden('Only administrators and those who manage the algorithm may handle its grants.');
  }
}

function notFound(grantId: string): Error {
  return GrantNotFound(`No grant has the id "${grantId}".`);
}

/**
 * Refuses that managers grant themselves rights, or prolong them, also by way of their groups and of everyone. They have all of
 * them already, and such a grant would outlast the one by which they manage the algorithm, even when that one is revoked at
 * this moment.
 */
function refuseOwn(
  own: readonly Grantee[],
  grant: Pick<NewGrant, 'permission_type'> & Partial<Pick<Grant, 'user_id' | 'group_id' | 'everyone'>>,
): void {
  const isOwn = ({ grantee_kind, grantee_id }: Grantee): boolean =>
    grantee_kind === 'everyone'
      ? grant.everyone === true
      : grantee_id === (grantee_kind === 'user' ? grant.user_id : grant.group_id);
  const { grantee_kind } = own.find(isOwn) ?? {};
  if (grantee_kind === 'user') {
    throw GrantExists('You manage this algorithm, so you hold every right on it already.');
  }
  if (grantee_kind !== undefined && grant.permission_type === 'manage') {
    const whose = grantee_kind === 'group' ? 'a group of yours' : 'everyone';
    throw GrantExists(
      `You manage this algorithm already; only administrators may give ${whose} the right to manage it, or change that.`,
    );
  }
}

export const GRANT_SERVICE = token<GrantService>('permissions:grant-service');
