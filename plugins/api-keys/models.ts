import { Model } from '../../core/index.ts';

export class KeyRow extends Model {
  static override tableName = 'api_keys_keys';

  declare id: string;
  declare user_id: string;
  declare name: string;
  /** SHA-256 of the key, hexadecimal. */
  declare hash: string;
  /** What of the key is shown. */
  declare mask: string;
  declare expires_at: string;
  /** What the key is kept to, separated by spaces; null for nothing. */
  declare scopes: string | null;
  declare revoked_at: string | null;
  declare created_at: string;
  declare updated_at: string;
}
