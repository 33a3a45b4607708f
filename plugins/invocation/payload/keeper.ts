import { LRUCache } from 'lru-cache';
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
/** Characters of pointers in memory, and as many for each algorithm as an entry is worth without any. */
const MAX_CHARACTERS = 4_194_304;
const ENTRY = 100;

export interface PayloadKeeperDeps {
  readonly database: Database;
  readonly invalidation: Invalidation;
  readonly catalogue: Catalogue;
  readonly vault: Vault;
}

/** The cache holds no null of its own. */
interface CachedPolicy {
  readonly policy: PayloadPolicy | null;
}

/** Knows what records keep: policies are cached, also that there is none, until they change here or elsewhere. */
export class PayloadKeeper {
  readonly #policies: LRUCache<string, CachedPolicy>;
  readonly #catalogue: Catalogue;
  readonly #stored: (algorithmId: string) => Promise<StoredPolicy | undefined>;
  readonly #digest: Digest;

  constructor({ database, invalidation, catalogue, vault }: PayloadKeeperDeps) {
    this.#catalogue = catalogue;
    this.#stored = policyReader(database);
    this.#digest = (text) => vault.digest(PURPOSE, text);
    this.#policies = new LRUCache<string, CachedPolicy>({
      maxSize: MAX_CHARACTERS,
      sizeCalculation: ({ policy }) => sizeOf(policy),
      fetchMethod: async (algorithmId) => ({ policy: await this.#readPolicy(algorithmId) }),
      // A change during a read ends only the caching of its result; the request that waits for it still gets it.
      ignoreFetchAbort: true,
    });
    invalidation.subscribe(PAYLOAD_POLICY_CHANGED_TOPIC, (algorithmId) => {
      if (algorithmId === undefined) this.#policies.clear();
      else this.#policies.delete(algorithmId);
    });
  }

  /**
   * Null when everything is kept. At once when cached: it is on the path of every call. Throws `StoreUnavailable`
   * when it cannot be read, and `AlgorithmNotFound`.
   */
  policyOf(algorithmId: string): PayloadPolicy | null | Promise<PayloadPolicy | null> {
    const cached = this.#policies.get(algorithmId);
    return cached ? cached.policy : this.#policies.forceFetch(algorithmId).then(({ policy }) => policy);
  }

  /** The record with no more in it than the policy keeps. */
  reduced(row: CallRow, policy: PayloadPolicy): CallRow {
    return reduce(row, policy, this.#digest);
  }

  async #readPolicy(algorithmId: string): Promise<PayloadPolicy | null> {
    try {
      const stored = await this.#stored(algorithmId);
      if (stored) return keepsEverything(stored.policy) ? null : stored.policy;
      // A policy goes with its algorithm: while a call is on its way, too. None is believed only of one that is there.
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

export const PAYLOAD_KEEPER = token<PayloadKeeper>('invocation:payload-keeper');

function keepsEverything(policy: PayloadPolicy): boolean {
  return PAYLOAD_FIELDS.every((field) => policy[field].mode === 'store');
}

function sizeOf(policy: PayloadPolicy | null): number {
  if (policy === null) return ENTRY;
  return PAYLOAD_FIELDS.flatMap((field) => policy[field].pointers).reduce(
    (sum, { length }) => sum + length,
    ENTRY,
  );
}
