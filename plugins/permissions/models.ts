import { Model } from '../../core/index.ts';
import type { AccessKind } from '../catalogue/contract.ts';

/** Who holds a right: one account, the members of a group, or every account. */
export type GranteeKind = 'user' | 'group' | 'everyone';

export class GrantRow extends Model {
  static override tableName = 'permissions_grants';

  declare id: string;
  declare algorithm_id: string;
  declare grantee_kind: GranteeKind;
  /** Of the account or group; empty for everyone. */
  declare grantee_id: string;
  declare permission_type: AccessKind;
  /** The account that granted it. */
  declare granted_by: string;
  declare created_at: string;
  /** The grant has no effect from this time on; null means that it does not expire. */
  declare expires_at: string | null;
}
