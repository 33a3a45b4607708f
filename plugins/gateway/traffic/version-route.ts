import { createHash } from 'node:crypto';
import { randomSecret } from '../../../core/index.ts';
import { SLOTS, type Share } from './shares.ts';

/** In place of a version's id: whichever version the route, or else the catalogue, says. */
export const DEFAULT_VERSION = 'default';

export type VersionRole = 'stable' | 'canary';

/** When a canary is taken back by itself. */
export interface RollbackRule {
  /** More than this percentage of the calls failed … */
  readonly max_failure_percent: number;
  /** … of at least this number … */
  readonly min_calls: number;
  /** … within this number of seconds. */
  readonly window_s: number;
}

/** What a route says. */
export interface RouteRule {
  readonly id: string;
  readonly algorithm_id: string;
  readonly stable_version_id: string;
  readonly shares: readonly Share[];
  readonly sticky: boolean;
  /** Calls for the version `default` alone, or those for the stable version as well. */
  readonly applies_to: 'default' | 'all';
  readonly rollback: RollbackRule | null;
  readonly revision: number;
}

/** Which version a route chose for a call. */
export interface Draw {
  readonly versionId: string;
  /** The version whose share it was, when another one stands in for it. */
  readonly insteadOf: string | undefined;
}

/** A route, arranged so that choosing a version is one hash and one look. */
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

  /** Whether the route chooses the version of a call that asks for this one. */
  decides(versionId: string): boolean {
    const { applies_to, stable_version_id } = this.rule;
    return versionId === DEFAULT_VERSION || (applies_to === 'all' && versionId === stable_version_id);
  }

  /** `undefined` for a version that is none of the route's. */
  roleOf(versionId: string): VersionRole | undefined {
    if (versionId === this.rule.stable_version_id) return 'stable';
    return this.rule.shares.some(({ version_id }) => version_id === versionId) ? 'canary' : undefined;
  }

  percentOf(versionId: string): number {
    return this.rule.shares.find(({ version_id }) => version_id === versionId)?.slots.length ?? 0;
  }

  /** The rule by which a version may be taken back; `undefined` when it may not, or has nothing. */
  rollbackRuleOf(versionId: string): RollbackRule | undefined {
    const { rollback } = this.rule;
    if (rollback === null || this.roleOf(versionId) !== 'canary') return undefined;
    return this.percentOf(versionId) > 0 ? rollback : undefined;
  }

  /**
   * Chooses by the weights. The share of a version that is not available goes to the others in proportion to theirs;
   * a caller stays with the same one of them. When none is available, nothing is changed.
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

  /** The same for a caller again and again, and different on every route; or drawn anew for each call. */
  #hashOf(userId: string): Buffer {
    const { id, sticky } = this.rule;
    return sticky ? createHash('sha256').update(`${id}:${userId}`).digest() : randomSecret(8);
  }
}
