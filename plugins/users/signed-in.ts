import { InvalidCredentials, type Transaction, type UserPrincipal } from '../../core/index.ts';
import type { SignedIn } from './contract.ts';
import { UserRow } from './models.ts';

/** Reads the row, because a cached account may be two seconds old. */
export const signedIn: SignedIn = {
  async hold(trx: Transaction, { userId, credentialId }: UserPrincipal): Promise<void> {
    const row = await UserRow.query(trx).findById(userId).forUpdate();
    if (row?.status === 'active' && credentialId > row.tokens_after) return;
    throw InvalidCredentials('The bearer token has ended. Sign in again.');
  },
};
