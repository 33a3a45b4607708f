import {
  defineEvent,
  extensionPoint,
  token,
  Type,
  type Author,
  type CredentialSource,
  type Transaction,
  type UserPrincipal,
} from '../../core/index.ts';

/** What an account may do. */
export type Role = UserPrincipal['role'];

/** A disabled account cannot sign in, and its credentials are refused. */
export type UserStatus = 'active' | 'disabled';

/** An account as other plugins see it. */
export interface Account {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly role: Role;
  readonly status: UserStatus;
}

/** An account that another plugin authenticates, as single sign-on and directories do. It has no password. */
export interface VouchedAccount {
  /** Letters, digits and `. _ @ + -`, at most 64. */
  readonly username: string;
  readonly email: string;
  /** Default `user`. */
  readonly role?: Role;
}

/** Finds and creates accounts. Finds disabled accounts as well: check the `status` before you admit one. */
export interface Accounts {
  /**
   * Finds an account by its id; no promise when it is cached. A change is visible at once on this instance, and within
   * 2 s on others.
   */
  find(id: string): Account | undefined | Promise<Account | undefined>;
  /**
   * Finds an account by its id and locks it until the transaction ends: its deletion comes entirely before or after, and takes
   * back what the transaction gave it.
   */
  hold(trx: Transaction, id: string): Promise<Account | undefined>;
  /** Ignores case; reads the database. */
  findByName(username: string): Promise<Account | undefined>;
  /** Ignores case; reads the database. */
  findByEmail(email: string): Promise<Account | undefined>;
  /**
   * Creates an account even when registration is closed, and emits `userRegistered`. Throws `UsernameTaken`,
   * `EmailTaken` and `ValidationFailed`. `by` is the author in the audit trail: `{ kind: 'plugin', name: 'directory' }`.
   * `alongside` runs in the same transaction, for rows without which the account would be nothing.
   */
  create(
    account: VouchedAccount,
    by?: Author,
    alongside?: (trx: Transaction, accountId: string) => Promise<void>,
  ): Promise<Account>;
}

export const ACCOUNTS = token<Accounts>('users:accounts');

/** The `Invalidation` topic with the id of a changed account, whose credentials must be verified again. */
export const ACCOUNT_CHANGED_TOPIC = 'users:account';

/** A credential that works while its account is active. */
export interface StandingCredential {
  readonly id: string;
  readonly name: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

/** Credentials of accounts that another plugin issues in addition to bearer tokens, such as API keys. */
export interface StandingCredentials {
  /** Those that work again when a disabled account becomes active, newest first. */
  active(trx: Transaction, userId: string): Promise<readonly StandingCredential[]>;
  /**
   * Revokes all credentials of an account with the commit of the transaction, on other instances within 2 s, and records each
   * in the audit trail as revoked by the author.
   */
  endAll(trx: Transaction, userId: string, by: Author): Promise<void>;
}

export const STANDING_CREDENTIALS = extensionPoint<StandingCredentials>('users:standing-credentials', {
  methods: ['active', 'endAll'],
});

/** What a plugin keeps of an account, for the day on which the account is deleted. */
export interface AccountBelongings {
  readonly name: string;
  /**
   * Deletes what is nothing without the account, such as credentials and grants, in the transaction that deletes the
   * account. Other rows that name the account stay; `Accounts.find` does not know it any more.
   */
  takeBack?(trx: Transaction, userId: string): Promise<void>;
  /**
   * Deletes the records of what the account did, where this was asked for: in small transactions, until none is left or
   * the signal aborts. A job calls it again for a day, since a call may end, and its record be stored, afterwards.
   */
  deleteRecords?(userId: string, signal: AbortSignal): Promise<void>;
}

export const ACCOUNT_BELONGINGS = extensionPoint<AccountBelongings>('users:account-belongings', {
  methods: ['takeBack?', 'deleteRecords?'],
});

/** Checks, for plugins that issue credentials, that the token of a request has not just ended. */
export interface SignedIn {
  /**
   * Locks the account until the transaction ends, so that a change of its password or status comes entirely before or
   * after it. Throws `InvalidCredentials` when the account is not active or the token of the principal has ended.
   */
  hold(trx: Transaction, principal: UserPrincipal): Promise<void>;
}

export const SIGNED_IN = token<SignedIn>('users:signed-in');

/** The request of a browser that signs in or out. */
export type SessionRequest = Pick<CredentialSource, 'ip' | 'header' | 'publicUrl'> & { readonly id: string };

/** A session that was opened. */
export interface OpenedSession {
  /** The `credentialId` of those who use it. */
  readonly id: string;
  /** ISO 8601. */
  readonly expires_at: string;
  /** The header `Set-Cookie` that gives it to the browser. */
  readonly cookie: string;
}

/** For plugins that authenticate accounts by other means than a password. */
export interface Vouching {
  /**
   * Opens a session, as a sign-in with a password does, and records it in the audit trail with `means`, which say how the
   * account was authenticated. Throws `InvalidCredentials` unless the account is active.
   */
  openSession(accountId: string, request: SessionRequest, means: object): Promise<OpenedSession>;
  /** Ends the token or session of the principal. Returns the header `Set-Cookie` that has the browser forget it. */
  endSession(principal: UserPrincipal, request: SessionRequest, by: Author): Promise<string>;
  /** Changes the role. Throws `UserNotFound`, and `LastAdministrator` when no active administrator would remain. */
  setRole(id: string, role: Role, by: Author): Promise<void>;
  /** Whether the account can sign in with a password. Locks the account until the transaction ends. */
  hasPassword(trx: Transaction, id: string): Promise<boolean>;
}

export const VOUCHING = token<Vouching>('users:vouching');

/** Keeps when each credential was last used; for those of `users` and of plugins that issue others. */
export interface CredentialUses {
  /** Notes a use now. It is written within a minute, so that no request waits for it. */
  note(credentialId: string): void;
  /** When they were last used, ISO 8601; those that never were are missing. */
  lastOf(credentialIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** For credentials that are deleted. */
  forget(trx: Transaction, credentialIds: readonly string[]): Promise<void>;
}

export const CREDENTIAL_USES = token<CredentialUses>('users:credential-uses');

const AccountFact = Type.Object({ user_id: Type.String(), username: Type.String() });
/** The account of an event. */
export type AccountFact = Type.Static<typeof AccountFact>;

export const userRegistered = defineEvent('users:user-registered', AccountFact, 'An account was created.');
export const userDisabled = defineEvent('users:user-disabled', AccountFact, 'An account was disabled.');
export const userDeleted = defineEvent('users:user-deleted', AccountFact, 'An account was deleted.');
