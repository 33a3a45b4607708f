import { Model, type Transaction } from '../../core/index.ts';
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

type Rows = ReturnType<typeof rowsIn>;

/**
 * Deletes the chosen grants, and returns the ids of their algorithms. The rows are locked in one order, because an algorithm and
 * a group that are deleted at the same time share grants.
 */
export async function deleteGrants(
  trx: Transaction,
  choose: (rows: Rows) => Rows,
): Promise<ReadonlySet<string>> {
  const rows = await choose(rowsIn(trx)).select('algorithm_id').orderBy('id').forUpdate();
  await choose(rowsIn(trx)).delete();
  return new Set(rows.map(({ algorithm_id }) => algorithm_id));
}

function rowsIn(trx: Transaction) {
  return GrantRow.query(trx);
}
