import {
  defineEvent,
  extensionPoint,
  token,
  Type,
  type Role,
  type Static,
  type Transaction,
  type UserPrincipal,
} from '../../core/index.ts';

/** A disabled account cannot sign in, and its credentials are refused. */
export type UserStatus = 'active' | 'disabled';

/** An account, as other plugins see it. */
export interface Account {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly role: Role;
  readonly status: UserStatus;
}

/** An account that another plugin vouches for, as single sign-on and directories do. It has no password to log in with. */
export interface VouchedAccount {
  /** Letters, digits and `. _ @ + -`, at most 64. */
  readonly username: string;
  readonly email: string;
  /** Default `user`. */
  readonly role?: Role;
}

/** Finds and creates accounts. One that is disabled is found as well: look at its `status` before you let it in. */
export interface Accounts {
  /**
   * `undefined` for an id that no account has. Cached and then synchronous; a change is seen at once here and within 2 s
   * elsewhere.
   */
  find(id: string): Account | undefined | Promise<Account | undefined>;
  /** Without regard to case; reads the database. */
  findByName(username: string): Promise<Account | undefined>;
  /** Without regard to case; reads the database. */
  findByEmail(email: string): Promise<Account | undefined>;
  /**
   * Creates an account, also where registration is closed, and emits `userRegistered`. Throws `UsernameTaken`,
   * `EmailTaken` and `ValidationFailed`.
   */
  create(account: VouchedAccount): Promise<Account>;
}

export const ACCOUNTS = token<Accounts>('users:accounts');

/** Topic of `Invalidation` on which a changed account's id is published; credentials of it must be checked anew. */
export const ACCOUNT_CHANGED_TOPIC = 'users:account';

/** Credentials that another plugin gives to accounts beside the tokens of a login, such as API keys. */
export interface StandingCredentials {
  /** Ends all that the account has when the transaction commits: here at once, elsewhere within 2 s. */
  endAll(trx: Transaction, userId: string): Promise<void>;
}

export const STANDING_CREDENTIALS = extensionPoint<StandingCredentials>('users:standing-credentials');

/** For plugins that give accounts such credentials: a token that has just ended must not obtain one. */
export interface SignedIn {
  /**
   * Holds the account until the transaction ends, so that a change of its password or status comes before or after all
   * of it. Throws `InvalidCredentials` when the account is not active, or the token of the principal has ended.
   */
  hold(trx: Transaction, principal: UserPrincipal): Promise<void>;
}

export const SIGNED_IN = token<SignedIn>('users:signed-in');

const AccountFact = Type.Object({ user_id: Type.String(), username: Type.String() });
/** Of which account an event tells. */
export type AccountFact = Static<typeof AccountFact>;

export const userRegistered = defineEvent('users:user-registered', AccountFact, 'An account was created.');
export const userDisabled = defineEvent(
  'users:user-disabled',
  AccountFact,
  'An account was disabled or deleted.',
);
