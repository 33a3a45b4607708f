import type {
  Clock,
  Database,
  PreparedRead,
  Invalidation,
  Transaction,
  UserPrincipal,
} from '../../core/index.ts';
import { ALGORITHM_CHANGED_TOPIC, type AccessKind, type AccessPolicy } from '../catalogue/contract.ts';
import { MEMBERS_CHANGED_TOPIC } from '../groups/contract.ts';
import type { Grantees } from './grantees.ts';
import { deleteGrants, type GrantRow } from './models.ts';

/** The `Invalidation` topic with the id of the algorithm whose grants changed. */
export const GRANTS_CHANGED_TOPIC = 'permissions:grants';

const MAX_LEVELS = 10_000;
/** The size of the cache of `algorithmsOf`, in ids. */
const MAX_IDS = 100_000;

/** Each right includes those with a lower level. */
const LEVELS: Readonly<Record<AccessKind, number>> = { read: 1, execute: 2, manage: 3 };

/** A right, and until when it counts, in milliseconds since 1970. */
interface Right {
  readonly level: number;
  readonly until: number;
}

/** An algorithm on which there is a right, and until when it counts. */
interface Reach {
  readonly algorithmId: string;
  readonly until: number;
}

/** Decides by grants. Caches them until any grant, membership or algorithm changes, which is rare. */
export class GrantPolicy implements AccessPolicy {
  readonly name = 'grants';
  readonly #clock: Clock;
  readonly #grantees: Grantees;
  readonly #rights;
  readonly #reach;
  readonly #kinds: PreparedRead<Pick<GrantRow, 'permission_type' | 'expires_at'>>;
  readonly #ids: PreparedRead<Pick<GrantRow, 'algorithm_id' | 'expires_at'>>;

  constructor(deps: { database: Database; invalidation: Invalidation; clock: Clock; grantees: Grantees }) {
    this.#clock = deps.clock;
    this.#grantees = deps.grantees;
    this.#kinds = deps.database.read(
      'SELECT permission_type, expires_at FROM permissions_grants WHERE algorithm_id = ? AND grantee_kind = ? AND grantee_id = ?',
    );
    this.#ids = deps.database.read(
      'SELECT algorithm_id, expires_at FROM permissions_grants WHERE grantee_kind = ? AND grantee_id = ?',
    );
    const topics = [GRANTS_CHANGED_TOPIC, MEMBERS_CHANGED_TOPIC, ALGORITHM_CHANGED_TOPIC];
    this.#rights = deps.invalidation.cache<readonly Right[]>({ topics, drops: 'all', maxSize: MAX_LEVELS });
    this.#reach = deps.invalidation.cache<readonly Reach[]>({
      topics,
      drops: 'all',
      maxSize: MAX_IDS,
      sizeOf: (reach) => reach.length + 1,
    });
  }

  allows({ userId }: UserPrincipal, algorithmId: string, kind: AccessKind): boolean | Promise<boolean> {
    const isAllowed = (rights: readonly Right[]): boolean => {
      const now = this.#clock.now();
      return rights.some(({ level, until }) => level >= LEVELS[kind] && now < until);
    };
    const rights = this.#rights.get(`${algorithmId} ${userId}`, () => this.#readRights(algorithmId, userId));
    return rights instanceof Promise ? rights.then(isAllowed) : isAllowed(rights);
  }

  algorithmsOf({ userId }: UserPrincipal): readonly string[] | Promise<readonly string[]> {
    const present = (reach: readonly Reach[]): readonly string[] => {
      const now = this.#clock.now();
      return reach.filter(({ until }) => now < until).map(({ algorithmId }) => algorithmId);
    };
    const reach = this.#reach.get(userId, () => this.#readReach(userId));
    return reach instanceof Promise ? reach.then(present) : present(reach);
  }

  /** Deletes the grants of an algorithm that this transaction deletes; its invalidation clears the cache. */
  async takeBack(trx: Transaction, algorithmId: string): Promise<void> {
    await deleteGrants(trx, (rows) => rows.where({ algorithm_id: algorithmId }));
  }

  async #readRights(algorithmId: string, userId: string): Promise<readonly Right[]> {
    const grantees = await this.#grantees.of(userId);
    const rows = await Promise.all(
      grantees.map(({ grantee_kind, grantee_id }) => this.#kinds.all(algorithmId, grantee_kind, grantee_id)),
    );
    return rows.flat().map((row) => ({ level: LEVELS[row.permission_type], until: untilOf(row) }));
  }

  /** Each algorithm once, until its last right ends. */
  async #readReach(userId: string): Promise<readonly Reach[]> {
    const grantees = await this.#grantees.of(userId);
    const rows = await Promise.all(
      grantees.map(({ grantee_kind, grantee_id }) => this.#ids.all(grantee_kind, grantee_id)),
    );
    const ends = new Map<string, number>();
    for (const row of rows.flat()) {
      ends.set(row.algorithm_id, Math.max(untilOf(row), ends.get(row.algorithm_id) ?? 0));
    }
    return Array.from(ends, ([algorithmId, until]) => ({ algorithmId, until }));
  }
}

function untilOf({ expires_at }: Pick<GrantRow, 'expires_at'>): number {
  return expires_at === null ? Infinity : Date.parse(expires_at);
}
