import { Model } from '../../core/index.ts';

export class KeyRow extends Model {
  static override tableName = 'api_keys_keys';

  declare id: string;
  declare user_id: string;
  declare name: string;
  /** SHA-256 of the key, hexadecimal. */
  declare hash: string;
  /** The masked key that lists show. */
  declare mask: string;
  declare expires_at: string;
  /** The scopes of the key, separated by spaces; null for a key without restriction. */
  declare scopes: string | null;
  declare revoked_at: string | null;
  declare created_at: string;
  declare updated_at: string;
}
