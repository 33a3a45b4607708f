import { createHash } from 'node:crypto';
import { randomSecret } from '../../../core/index.ts';
import { DEFAULT_VERSION } from '../../invocation/contract.ts';
import { SLOTS, type Share } from './shares.ts';

export type VersionRole = 'stable' | 'canary';

/** When a canary is taken back automatically. */
export interface RollbackRule {
  /** More than this percentage of the calls failed … */
  readonly max_failure_percent: number;
  /** … of at least this number … */
  readonly min_calls: number;
  /** … within this number of seconds. */
  readonly window_s: number;
}

/** The fields of a route that decide about calls. */
export interface RouteRule {
  readonly id: string;
  readonly algorithm_id: string;
  readonly stable_version_id: string;
  readonly shares: readonly Share[];
  readonly sticky: boolean;
  /** Whether the route applies to calls of the version `default` only, or also to those of the stable version. */
  readonly applies_to: 'default' | 'all';
  readonly rollback: RollbackRule | null;
  readonly revision: number;
}

/** The version that a route chose for a call. */
export interface Draw {
  readonly versionId: string;
  /** The unavailable version whose share the chosen one replaces. */
  readonly insteadOf: string | undefined;
}

/** A route, indexed so that choosing a version takes one hash and one array access. */
export class VersionRoute {
  readonly rule: RouteRule;
  readonly #bySlot: readonly string[];

  constructor(rule: RouteRule) {
    this.rule = rule;
    const bySlot = Array.from<string>({ length: SLOTS });
    for (const { version_id, slots } of rule.shares) {
      for (const slot of slots) bySlot[slot] = version_id;
    }
    this.#bySlot = bySlot;
  }

  /** Whether the route applies to a call of this version. */
  decides(versionId: string): boolean {
    const { applies_to, stable_version_id } = this.rule;
    return versionId === DEFAULT_VERSION || (applies_to === 'all' && versionId === stable_version_id);
  }

  /** The role of a version; `undefined` for one that is not on the route. */
  roleOf(versionId: string): VersionRole | undefined {
    if (versionId === this.rule.stable_version_id) return 'stable';
    return this.rule.shares.some(({ version_id }) => version_id === versionId) ? 'canary' : undefined;
  }

  percentOf(versionId: string): number {
    return this.rule.shares.find(({ version_id }) => version_id === versionId)?.slots.length ?? 0;
  }

  /** The rollback rule for a version; `undefined` unless it is a canary with a share on a route with a rule. */
  rollbackRuleOf(versionId: string): RollbackRule | undefined {
    const { rollback } = this.rule;
    if (rollback === null || this.roleOf(versionId) !== 'canary') return undefined;
    return this.percentOf(versionId) > 0 ? rollback : undefined;
  }

  /**
   * Chooses by the weights. The share of an unavailable version goes to the others in proportion to their shares, and a
   * caller always gets the same one of them. When no version is available, the weights alone decide.
   */
  draw(userId: string, isAvailable: (versionId: string) => boolean): Draw {
    const hash = this.#hashOf(userId);
    const own = this.#bySlot[hash.readUInt32BE(0) % SLOTS]!;
    if (isAvailable(own)) return { versionId: own, insteadOf: undefined };
    const available = new Map(this.rule.shares.map(({ version_id: id }) => [id, isAvailable(id)]));
    const others = this.#bySlot.filter((id) => available.get(id));
    if (others.length === 0) return { versionId: own, insteadOf: undefined };
    return { versionId: others[hash.readUInt32BE(4) % others.length]!, insteadOf: own };
  }

  /** On a sticky route the hash of the route and the caller; otherwise random bytes for each call. */
  #hashOf(userId: string): Buffer {
    const { id, sticky } = this.rule;
    return sticky ? createHash('sha256').update(`${id}:${userId}`).digest() : randomSecret(8);
  }
}
