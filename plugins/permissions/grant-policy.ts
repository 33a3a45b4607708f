import { LRUCache } from 'lru-cache';
import type { Database, PreparedRead, Invalidation, Transaction, UserPrincipal } from '../../core/index.ts';
import { ALGORITHM_CHANGED_TOPIC, type AccessKind, type AccessPolicy } from '../catalogue/contract.ts';
import { GrantRow } from './models.ts';

/** The `Invalidation` topic with the id of the algorithm whose grants changed. */
export const GRANTS_CHANGED_TOPIC = 'permissions:grants';

const MAX_LEVELS = 10_000;
/** The size of the cache of `algorithmsOf`, in ids. */
const MAX_IDS = 100_000;

/** Each right includes those with a lower level. */
const LEVELS: Readonly<Record<AccessKind, number>> = { read: 1, execute: 2, manage: 3 };

interface Grantee {
  readonly algorithmId: string;
  readonly userId: string;
}

/** Decides by grants. Caches them until any grant or algorithm changes, which is rare. */
export class GrantPolicy implements AccessPolicy {
  readonly name = 'grants';
  readonly #levels: LRUCache<string, number, Grantee>;
  readonly #algorithms: LRUCache<string, readonly string[]>;
  readonly #kinds: PreparedRead<{ permission_type: AccessKind }>;
  readonly #ids: PreparedRead<{ algorithm_id: string }>;

  constructor(deps: { database: Database; invalidation: Invalidation }) {
    this.#kinds = deps.database.read(
      'SELECT permission_type FROM permissions_grants WHERE algorithm_id = ? AND user_id = ?',
    );
    this.#ids = deps.database.read('SELECT DISTINCT algorithm_id FROM permissions_grants WHERE user_id = ?');
    this.#levels = new LRUCache<string, number, Grantee>({
      max: MAX_LEVELS,
      fetchMethod: (_key, _stale, { context }) => this.#read(context),
      // An invalidation during a read only keeps its result out of the cache; waiting requests still get the result.
      ignoreFetchAbort: true,
    });
    this.#algorithms = new LRUCache<string, readonly string[]>({
      maxSize: MAX_IDS,
      sizeCalculation: (ids) => ids.length + 1,
      fetchMethod: async (userId) => (await this.#ids.all(userId)).map(({ algorithm_id }) => algorithm_id),
      ignoreFetchAbort: true,
    });
    for (const topic of [GRANTS_CHANGED_TOPIC, ALGORITHM_CHANGED_TOPIC]) {
      deps.invalidation.subscribe(topic, () => {
        this.#levels.clear();
        this.#algorithms.clear();
      });
    }
  }

  allows({ userId }: UserPrincipal, algorithmId: string, kind: AccessKind): boolean | Promise<boolean> {
    const key = `${algorithmId} ${userId}`;
    const level = this.#levels.get(key) ?? this.#levels.forceFetch(key, { context: { algorithmId, userId } });
    return typeof level === 'number' ? level >= LEVELS[kind] : level.then((found) => found >= LEVELS[kind]);
  }

  algorithmsOf({ userId }: UserPrincipal): readonly string[] | Promise<readonly string[]> {
    return this.#algorithms.get(userId) ?? this.#algorithms.forceFetch(userId);
  }

  /** Deletes the grants of an algorithm that this transaction deletes; its invalidation clears the cache. */
  async takeBack(trx: Transaction, algorithmId: string): Promise<void> {
    await GrantRow.query(trx).delete().where({ algorithm_id: algorithmId });
  }

  async #read({ algorithmId, userId }: Grantee): Promise<number> {
    const rows = await this.#kinds.all(algorithmId, userId);
    return Math.max(0, ...rows.map((row) => LEVELS[row.permission_type]));
  }
}
