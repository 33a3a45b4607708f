import { Model } from '../../core/index.ts';

/** The weight of a version in whole percent. */
export interface Weight {
  readonly version_id: string;
  readonly percent: number;
}

/** The slots of a version, ascending. The shares of a route together own every slot once. */
export interface Share {
  readonly version_id: string;
  readonly slots: readonly number[];
}

/** When a canary is taken back automatically. */
export interface RollbackRule {
  /** More than this percentage of the calls failed … */
  readonly max_failure_percent: number;
  /** … of at least this number … */
  readonly min_calls: number;
  /** … within this number of seconds. */
  readonly window_s: number;
}

export class PolicyRow extends Model {
  static override tableName = 'gateway_policies';
  static override booleans = ['enabled'];

  declare id: string;
  declare name: string;
  declare subject: 'user' | 'api_key' | 'algorithm';
  /** An id, or `*` for all subjects without a policy of their own. */
  declare subject_id: string;
  declare limit: number | null;
  declare window_s: number;
  declare concurrency: number | null;
  declare enabled: boolean;
  declare created_at: string;
  declare updated_at: string;
}

export class BlockRow extends Model {
  static override tableName = 'gateway_blocks';

  declare id: string;
  declare subject: 'user' | 'api_key' | 'algorithm' | 'network';
  /** An id, or a network such as `192.0.2.0/24`. */
  declare value: string;
  declare reason: string;
  declare until: string | null;
  declare created_by: string;
  declare created_at: string;
  declare updated_at: string;
}

/** The route of an algorithm: which versions answer its calls. */
export class RouteRow extends Model {
  static override tableName = 'gateway_routes';
  static override booleans = ['sticky'];
  static override json = ['shares', 'rollback'];

  declare id: string;
  declare algorithm_id: string;
  declare stable_version_id: string;
  declare shares: Share[];
  declare sticky: boolean;
  /** Whether the route applies to calls of the version `default` only, or also to those of the stable version. */
  declare applies_to: 'default' | 'all';
  declare rollback: RollbackRule | null;
  /** Incremented by each change. */
  declare revision: number;
  declare created_at: string;
  declare updated_at: string;
}

/** A change in the history of a route. */
export class RouteChangeRow extends Model {
  static override tableName = 'gateway_route_changes';
  static override idColumn = ['route_id', 'revision'];
  static override json = ['versions'];

  declare route_id: string;
  declare revision: number;
  declare action: 'set' | 'promoted' | 'rolled_back' | 'taken_back' | 'version_deleted';
  /** A user; null for an automatic change. */
  declare changed_by: string | null;
  declare reason: string | null;
  declare stable_version_id: string;
  declare versions: Weight[];
  declare changed_at: string;
}
