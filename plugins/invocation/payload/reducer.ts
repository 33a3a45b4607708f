import {
  StoreUnavailable,
  token,
  type Database,
  type Invalidation,
  type Vault,
} from '../../../core/index.ts';
import { AlgorithmNotFound, type Catalogue } from '../../catalogue/contract.ts';
import type { CallRow } from '../recording/call-row.ts';
import type { PayloadPolicy } from '../contract.ts';
import { PAYLOAD_POLICY_CHANGED_TOPIC, policyReader, type StoredPolicy } from './policy-table.ts';
import { PAYLOAD_FIELDS, reduce, type Digest } from './reduce.ts';

const PURPOSE = 'invocation:payload';
/** Policies in the cache. */
const MOST = 10_000;

export interface PayloadReducerDeps {
  readonly database: Database;
  readonly invalidation: Invalidation;
  readonly catalogue: Catalogue;
  readonly vault: Vault;
}

/** Reduces records by payload policies. Caches policies, and the absence of one, until a change on any instance. */
export class PayloadReducer {
  readonly #policies;
  readonly #catalogue: Catalogue;
  readonly #stored: (algorithmId: string) => Promise<StoredPolicy | undefined>;
  readonly #digest: Digest;

  constructor({ database, invalidation, catalogue, vault }: PayloadReducerDeps) {
    this.#catalogue = catalogue;
    this.#stored = policyReader(database);
    this.#digest = (text) => vault.digest(PURPOSE, text);
    this.#policies = invalidation.cache<PayloadPolicy | null>({
      topics: [PAYLOAD_POLICY_CHANGED_TOPIC],
      drops: 'key',
      maxSize: MOST,
    });
  }

  /**
   * Returns null when records keep everything, and no promise when cached, since every call asks. Throws
   * `StoreUnavailable` when the policy cannot be read, and `AlgorithmNotFound`.
   */
  policyOf(algorithmId: string): PayloadPolicy | null | Promise<PayloadPolicy | null> {
    return this.#policies.get(algorithmId, () => this.#readPolicy(algorithmId));
  }

  /** The record, reduced to what the policy keeps: everything without one. */
  reduced(row: CallRow, policy: PayloadPolicy | null): CallRow {
    return policy === null ? row : reduce(row, policy, this.#digest);
  }

  async #readPolicy(algorithmId: string): Promise<PayloadPolicy | null> {
    try {
      const stored = await this.#stored(algorithmId);
      if (stored) return keepsEverything(stored.policy) ? null : stored.policy;
      // A policy is deleted with its algorithm, so its absence counts only while the algorithm exists.
      await this.#catalogue.algorithm(algorithmId);
      return null;
    } catch (error) {
      if (AlgorithmNotFound.is(error)) throw error;
      throw StoreUnavailable(
        'What may be recorded of the call cannot be read now, so the endpoint was not asked. Try again in a moment.',
        { headers: { 'Retry-After': '2' }, cause: error },
      );
    }
  }
}

export const PAYLOAD_REDUCER = token<PayloadReducer>('invocation:payload-reducer');

function keepsEverything(policy: PayloadPolicy): boolean {
  return PAYLOAD_FIELDS.every((field) => policy[field].mode === 'store');
}
