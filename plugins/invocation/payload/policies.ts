import {
  Forbidden,
  isoTime,
  token,
  type Audit,
  type Author,
  type Clock,
  type Database,
  type Invalidation,
  type UserPrincipal,
} from '../../../core/index.ts';
import { undoIfAlgorithmWent, type AlgorithmRights, type Catalogue } from '../../catalogue/contract.ts';
import type { PayloadPolicy } from '../contract.ts';
import { checkedRules } from './policy-check.ts';
import {
  allPolicies,
  changePolicy,
  DEFAULT_POLICY,
  deletePolicy,
  PAYLOAD_POLICY_CHANGED_TOPIC,
  policyReader,
  type StoredPolicy,
} from './policy-table.ts';
import type { PayloadPolicyAnswer, PayloadPolicyChanges } from './schemas.ts';

export interface PayloadPoliciesDeps {
  readonly database: Database;
  readonly invalidation: Invalidation;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly catalogue: Catalogue;
  readonly rights: AlgorithmRights;
}

/** Shows and changes payload policies, for administrators and managers of the algorithm. */
export class PayloadPolicies {
  readonly #deps: PayloadPoliciesDeps;
  readonly #stored;

  constructor(deps: PayloadPoliciesDeps) {
    this.#deps = deps;
    this.#stored = policyReader(deps.database);
  }

  /** Returns the default policy when none is stored. Throws `AlgorithmNotFound` and `Forbidden`. */
  async find(principal: UserPrincipal, algorithmId: string): Promise<PayloadPolicyAnswer> {
    await this.#demandManage(principal, algorithmId);
    const stored = await this.#stored(algorithmId);
    const { updated_by = null, updated_at = null, policy = DEFAULT_POLICY } = stored ?? {};
    return { algorithm_id: algorithmId, ...policy, updated_by, updated_at };
  }

  /** Changes the given rules only, if they differ. Throws what `find` throws, and `ValidationFailed`. */
  async change(
    principal: UserPrincipal,
    algorithmId: string,
    changes: PayloadPolicyChanges,
    author: Author,
  ): Promise<PayloadPolicyAnswer> {
    await this.#demandManage(principal, algorithmId);
    const { policy, updated_by, updated_at } = await this.set(algorithmId, checkedRules(changes), author);
    return { algorithm_id: algorithmId, ...policy, updated_by, updated_at };
  }

  /** Those that differ from the default policy, by the ids of their algorithms. */
  all(): Promise<ReadonlyMap<string, PayloadPolicy>> {
    return allPolicies(this.#deps.database);
  }

  /** Changes the given rules only, if they differ. They must be checked. */
  async set(algorithmId: string, rules: Partial<PayloadPolicy>, author: Author): Promise<StoredPolicy> {
    const { database, invalidation, clock, catalogue, audit } = this.#deps;
    const by = { updated_by: author.user_id ?? null, updated_at: isoTime(clock.now()) };
    const stored = await database.transaction(async (trx) => {
      const changed = await changePolicy(trx, algorithmId, by, rules);
      const states = { before: changed.before, after: changed.policy };
      await audit.record(trx, author, { ...about('update', algorithmId), ...states });
      invalidation.publish(trx, PAYLOAD_POLICY_CHANGED_TOPIC, algorithmId);
      return changed;
    });
    await undoIfAlgorithmWent(catalogue, algorithmId, () => this.removeOfAlgorithm(algorithmId));
    return stored;
  }

  /** Restores the default policy. Throws what `find` throws. */
  async remove(principal: UserPrincipal, algorithmId: string, author: Author): Promise<void> {
    await this.#demandManage(principal, algorithmId);
    await this.removeOfAlgorithm(algorithmId, author);
  }

  /** Without an author it goes with its algorithm, which is recorded. */
  async removeOfAlgorithm(algorithmId: string, author?: Author): Promise<void> {
    const { database, invalidation, audit } = this.#deps;
    return database.transaction(async (trx) => {
      const before = await deletePolicy(trx, algorithmId);
      if (before && author) await audit.record(trx, author, { ...about('delete', algorithmId), before });
      invalidation.publish(trx, PAYLOAD_POLICY_CHANGED_TOPIC, algorithmId);
    });
  }

  async #demandManage(principal: UserPrincipal, algorithmId: string): Promise<void> {
    const { catalogue, rights } = this.#deps;
    const algorithm = await catalogue.algorithm(algorithmId, principal);
    if (await rights.may(principal, algorithm, 'manage')) return;
    throw Forbidden('Only administrators and those who manage the algorithm may handle its payload policy.');
  }
}

export const PAYLOAD_POLICIES = token<PayloadPolicies>('invocation:payload-policies');

function about(verb: 'update' | 'delete', id: string) {
  return { action: `payload_policy.${verb}`, target: { kind: 'payload_policy', id } };
}
