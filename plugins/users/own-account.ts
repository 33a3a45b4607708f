import {
  isoTime,
  token,
  ValidationFailed,
  type Author,
  type Clock,
  type Database,
  type Invalidation,
  type UserPrincipal,
} from '../../core/index.ts';
import { uniqueKey } from './account-rules.ts';
import { audited, type AccountTrail } from './account-trail.ts';
import { ACCOUNT_CHANGED_TOPIC, type SignedIn } from './contract.ts';
import type { OneTimeLinks } from './links/one-time-links.ts';
import { UserRow } from './models.ts';
import { takenProblem } from './registration.ts';
import type { OwnChange, User } from './schemas.ts';
import type { SignIn } from './sign-in.ts';

export interface OwnAccountDeps {
  readonly database: Database;
  readonly signIn: SignIn;
  readonly signedIn: SignedIn;
  readonly links: OneTimeLinks;
  readonly invalidation: Invalidation;
  readonly clock: Clock;
  readonly trail: AccountTrail;
}

/** Changes the account of the caller. */
export class OwnAccount {
  readonly #deps: OwnAccountDeps;

  constructor(deps: OwnAccountDeps) {
    this.#deps = deps;
  }

  /**
   * Changes the e-mail address. That needs the password, because a link for a new one goes to the address. Throws
   * `ValidationFailed` without it, `WrongPassword`, `TooManyAttempts` and `EmailTaken`.
   */
  async change(principal: UserPrincipal, { email, password }: OwnChange, by: Author): Promise<User> {
    const { database, signIn } = this.#deps;
    const before = await UserRow.query(database.knex).findById(principal.userId).throwIfNotFound();
    if (email === undefined || email === before.email) return before;
    if (password === undefined) {
      const message = 'is needed to change the e-mail address.';
      throw ValidationFailed('The e-mail address was not changed: the current password is needed for it.', {
        errors: [{ pointer: '/body/password', message }],
      });
    }
    await signIn.confirm(principal, password, { by, verb: 'update' });
    return this.#readdress(principal, email, by).catch((error: unknown) => {
      throw takenProblem(error, { username: '', email }) ?? error;
    });
  }

  #readdress(principal: UserPrincipal, email: string, by: Author): Promise<User> {
    const { database, signedIn, links, invalidation, clock, trail } = this.#deps;
    const { userId } = principal;
    return database.transaction(async (trx) => {
      await signedIn.hold(trx, principal);
      await links.endAll(trx, userId);
      invalidation.publish(trx, ACCOUNT_CHANGED_TOPIC, userId);
      const before = await UserRow.query(trx).findById(userId).throwIfNotFound();
      const after = await UserRow.query(trx).patchAndFetchById(userId, {
        email,
        email_key: uniqueKey(email),
        updated_at: isoTime(clock.now()),
      });
      await trail.record(trx, by, 'update', after, { before: audited(before), after: audited(after) });
      return after;
    });
  }
}

export const OWN_ACCOUNT = token<OwnAccount>('users:own-account');
