import { lockedAccount, type Administration } from './administration.ts';
import { clientOf } from './client.ts';
import type { Vouching } from './contract.ts';
import { NO_PASSWORD } from './models.ts';
import { forgottenCookie, sessionCookie } from './session-cookie.ts';
import type { SignIn } from './sign-in.ts';

export interface VouchingDeps {
  readonly signIn: SignIn;
  readonly administration: Administration;
}

/** Makes the service for plugins that authenticate accounts. */
export function createVouching({ signIn, administration }: VouchingDeps): Vouching {
  return {
    openSession: async (accountId, request, means) => {
      const token = await signIn.openVouched(accountId, clientOf(request), means);
      return { id: token.jti, expires_at: token.expires_at, cookie: sessionCookie(token, request) };
    },
    endSession: async (principal, request, by) => {
      await signIn.logout(principal, by);
      return forgottenCookie(request);
    },
    setRole: async (id, role, by) => {
      await administration.change(id, { role }, by);
    },
    hasPassword: async (trx, id) => (await lockedAccount(trx, id)).password_hash !== NO_PASSWORD,
  };
}
