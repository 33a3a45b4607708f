import { Model, type Invalidation, type Transaction } from '../../core/index.ts';

/** The `Invalidation` topic with the hash of a secret of a key that changed. */
export const KEY_CHANGED_TOPIC = 'api-keys:key';

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
  /** The ids of the algorithms that the key is restricted to, separated by spaces; null for all. */
  declare algorithms: string | null;
  /** The networks that the key is restricted to, separated by spaces; null for all. */
  declare networks: string | null;
  /** The hash of the secret before the last rotation, while it still works. */
  declare previous_hash: string | null;
  declare previous_until: string | null;
  /** When the expiry was announced. */
  declare warned_at: string | null;
  declare revoked_at: string | null;
  declare created_at: string;
  declare updated_at: string;
}

/** Makes verifiers read keys again, with the commit of the transaction, by every secret that they have or had. */
export function publishChange(
  invalidation: Invalidation,
  trx: Transaction,
  rows: readonly Pick<KeyRow, 'hash' | 'previous_hash'>[],
): void {
  const hashes = new Set(
    rows.flatMap(({ hash, previous_hash }) => (previous_hash === null ? [hash] : [hash, previous_hash])),
  );
  for (const hash of hashes) invalidation.publish(trx, KEY_CHANGED_TOPIC, hash);
}

/** A key as the audit trail names it. */
export function targetOf({ id, name }: Pick<KeyRow, 'id' | 'name'>) {
  return { kind: 'api_key', id, name };
}
