import { Model } from '../../core/index.ts';

export class PolicyRow extends Model {
  static override tableName = 'gateway_policies';
  static override booleans = ['enabled'];

  declare id: string;
  declare name: string;
  declare subject: 'user' | 'api_key' | 'algorithm';
  /** `*` in the place of "each one". */
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
