import { Model } from '../../core/index.ts';
import type { MembershipSource } from './contract.ts';

export class GroupRow extends Model {
  static override tableName = 'groups_groups';

  declare id: string;
  declare name: string;
  /** The folded name, by which names are unique. */
  declare name_key: string;
  declare description: string;
  declare created_at: string;
  declare updated_at: string;
}

/** That an account belongs to a group; once for each source that says so. */
export class MemberRow extends Model {
  static override tableName = 'groups_members';
  static override idColumn = ['group_id', 'user_id', 'source'];

  declare group_id: string;
  declare user_id: string;
  declare source: MembershipSource;
  declare created_at: string;
}
