import { Forbidden, type Transaction, type UserPrincipal } from '../../core/index.ts';
import { UserRow } from './models.ts';
import { LastAdministrator } from './problems.ts';

/**
 * Locks all active administrators, so that two of them cannot demote or delete each other at the same time. Throws
 * `Forbidden` when the caller is no longer among them: it may have been authorised before, and would restore its role.
 */
export async function lockAdministrators(
  trx: Transaction,
  by: UserPrincipal | undefined,
): Promise<readonly string[]> {
  const rows = await UserRow.query(trx)
    .select('id')
    .where({ role: 'admin', status: 'active' })
    .orderBy('id')
    .forUpdate();
  const ids = rows.map(({ id }) => id);
  if (by && !ids.includes(by.userId)) throw Forbidden('Only administrators may do this.');
  return ids;
}

/** Throws `LastAdministrator` when no other account is an active administrator. */
export function refuseLast(administrators: readonly string[], { id, username }: UserRow): void {
  if (administrators.length !== 1 || administrators[0] !== id) return;
  throw LastAdministrator(
    `"${username}" is the last active administrator. Make another account administrator first.`,
  );
}
