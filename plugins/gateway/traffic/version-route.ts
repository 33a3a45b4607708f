import { createHash } from 'node:crypto';
import { randomSecret } from '../../../core/index.ts';
import { DEFAULT_VERSION } from '../../invocation/contract.ts';
import type { RollbackRule, RouteRow } from '../models.ts';
import { SLOTS } from './shares.ts';

export type VersionRole = 'stable' | 'canary';

/** The fields of a route that an administrator decides about. */
export type RouteFields = Pick<
  RouteRow,
  'stable_version_id' | 'shares' | 'sticky' | 'applies_to' | 'rollback'
>;

/** The fields of a route that decide about calls. */
export type RouteRule = RouteFields & Pick<RouteRow, 'id' | 'algorithm_id' | 'revision'>;

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
