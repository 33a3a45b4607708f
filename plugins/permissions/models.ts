import { Model } from '../../core/index.ts';
import type { AccessKind } from '../catalogue/contract.ts';

export class GrantRow extends Model {
  static override tableName = 'permissions_grants';

  declare id: string;
  declare algorithm_id: string;
  declare user_id: string;
  declare permission_type: AccessKind;
  /** The account that granted it. */
  declare granted_by: string;
  declare created_at: string;
}
