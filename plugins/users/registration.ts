import {
  isoTime,
  newId,
  token,
  UniqueViolation,
  ValidationFailed,
  type Author,
  type Clock,
  type Database,
  type EventBus,
  type Transaction,
} from '../../core/index.ts';
import { checkNewAccount, uniqueKey, type NewAccount } from './account-rules.ts';
import { audited, type AccountTrail } from './account-trail.ts';
import type { UsersSettings } from './config.ts';
import { userRegistered, type Role, type VouchedAccount } from './contract.ts';
import type { KnownAddresses } from './known-addresses.ts';
import { NO_PASSWORD, UserRow } from './models.ts';
import type { Passwords } from './passwords.ts';
import { EmailTaken, RegistrationClosed, UsernameTaken } from './problems.ts';
import type { RegistrationState, User } from './schemas.ts';
import { isWellKnown } from './well-known-passwords.ts';

export interface RegistrationDeps {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly clock: Clock;
  readonly events: EventBus;
  readonly settings: UsersSettings;
  readonly known: KnownAddresses;
  readonly trail: AccountTrail;
}

type AccountNames = Pick<NewAccount, 'username' | 'email'>;

/** Something to do in the transaction that creates an account, with the id of the account. */
export type Alongside = (trx: Transaction, userId: string) => Promise<void>;

interface Creation {
  readonly by: Author;
  readonly roleOf: (first: boolean) => Role;
  readonly alongside?: Alongside | undefined;
}

/** Creates accounts. */
export class Registration {
  readonly #deps: RegistrationDeps;

  constructor(deps: RegistrationDeps) {
    this.#deps = deps;
  }

  /**
   * Registers an account with the role `user`; the first one becomes an administrator where the settings say so. Throws
   * `UsernameTaken`, `EmailTaken` or `RegistrationClosed`, and `ValidationFailed` when the password of an administrator
   * is well known. Wrong passwords from elsewhere cannot lock the account out at the address that registers it.
   */
  async register(account: NewAccount, address: string, by: Author): Promise<User> {
    const { settings, known } = this.#deps;
    if (!settings.registration)
      throw RegistrationClosed('Registration is closed. Ask an administrator for an account.');
    const user = await this.#createWithPassword(account, by, (first) => {
      if (!first || !settings.first_is_admin) return 'user';
      refuseWellKnown(account, 'This account becomes the administrator, so its password');
      return 'admin';
    });
    await known.add(uniqueKey(account.username), address);
    return user;
  }

  /** Whether anybody can register, and whether the next one to do so becomes the administrator. */
  async state(): Promise<Omit<RegistrationState, 'password_reset'>> {
    const { settings, database } = this.#deps;
    const open = settings.registration;
    if (!open || !settings.first_is_admin) return { open, makes_administrator: false };
    const first: unknown = await database.knex('users_firsts').where('what', 'account').first('what');
    return { open, makes_administrator: first === undefined };
  }

  /** Creates an administrator. Throws `UsernameTaken` or `EmailTaken`. */
  async createAdmin(account: NewAccount, by: Author): Promise<User> {
    return this.#createWithPassword(account, by, () => 'admin');
  }

  /**
   * Creates an account whether or not registration is open. Throws `UsernameTaken`, `EmailTaken`, and `ValidationFailed`
   * also when the password of an administrator is well known.
   */
  async create(
    { role = 'user', ...account }: NewAccount & Pick<VouchedAccount, 'role'>,
    by: Author,
    alongside?: Alongside,
  ): Promise<User> {
    checkNewAccount(account);
    if (role === 'admin') refuseWellKnown(account, 'The password of an administrator');
    return this.#createWithPassword(account, by, () => role, alongside);
  }

  /** Creates an account without a password. Throws `UsernameTaken`, `EmailTaken` or `ValidationFailed`. */
  async createWithoutPassword(
    { role = 'user', ...account }: VouchedAccount,
    by: Author,
    alongside?: Alongside,
  ): Promise<User> {
    checkNewAccount(account);
    await this.#refuseTaken(account);
    return this.#insert(account, NO_PASSWORD, { by, roleOf: () => role, alongside });
  }

  async #createWithPassword(
    account: NewAccount,
    by: Author,
    roleOf: (first: boolean) => Role,
    alongside?: Alongside,
  ): Promise<User> {
    await this.#refuseTaken(account);
    const hash = await this.#deps.passwords.hash(account.password);
    return this.#insert(account, hash, { by, roleOf, alongside });
  }

  async #insert(account: AccountNames, hash: string, { by, roleOf, alongside }: Creation): Promise<User> {
    const { database, events, trail } = this.#deps;
    const row = this.#rowOf(account, hash);
    try {
      const created = await database.transaction(async (trx) => {
        const first = await claimsToBeFirst(trx, row.id);
        const inserted = await UserRow.query(trx).insert({ ...row, role: roleOf(first) });
        await alongside?.(trx, row.id);
        await trail.record(trx, by, 'create', inserted, { after: audited(inserted) });
        return inserted;
      });
      events.emit(userRegistered, { user_id: created.id, username: created.username });
      return created;
    } catch (error) {
      throw takenProblem(error, account) ?? error;
    }
  }

  /** Avoids hashing for names that are already taken. The unique index makes the final decision. */
  async #refuseTaken({ username, email }: AccountNames): Promise<void> {
    const taken = await UserRow.query(this.#deps.database.knex)
      .select('username_key')
      .where('username_key', uniqueKey(username))
      .orWhere('email_key', uniqueKey(email));
    if (taken.some((row) => row.username_key === uniqueKey(username))) throw usernameTaken(username);
    if (taken.length > 0) throw emailTaken(email);
  }

  #rowOf({ username, email }: AccountNames, passwordHash: string) {
    const now = isoTime(this.#deps.clock.now());
    return {
      id: newId(),
      username,
      username_key: uniqueKey(username),
      email,
      email_key: uniqueKey(email),
      password_hash: passwordHash,
      status: 'active' as const,
      tokens_after: '',
      created_at: now,
      updated_at: now,
    };
  }
}

/** Returns true for exactly one account of an installation, even when several register at the same time. */
async function claimsToBeFirst(trx: Transaction, userId: string): Promise<boolean> {
  const claimed: unknown[] = await trx('users_firsts')
    .insert({ what: 'account', user_id: userId })
    .onConflict('what')
    .ignore()
    .returning('what');
  return claimed.length === 1;
}

/** Refuses a password that everybody tries first. `whose` begins the sentence; `pointer` names the field of the request. */
export function refuseWellKnown(
  { username, password }: Omit<NewAccount, 'email'>,
  whose: string,
  pointer = '/body/password',
): void {
  if (!isWellKnown(password, username)) return;
  const message = 'must not be one of those that everybody tries first.';
  throw ValidationFailed(`${whose} ${message}`, { errors: [{ pointer, message }] });
}

/** The problem behind a violation of the unique index of names or addresses; `undefined` for another error. */
export function takenProblem(error: unknown, account: AccountNames): Error | undefined {
  if (!(error instanceof UniqueViolation)) return undefined;
  if (error.columns.includes('username_key')) return usernameTaken(account.username);
  return error.columns.includes('email_key') ? emailTaken(account.email) : undefined;
}

function usernameTaken(username: string): Error {
  return UsernameTaken(`The username "${username}" is taken. Choose another one.`);
}

function emailTaken(email: string): Error {
  return EmailTaken(`The e-mail address "${email}" belongs to another account.`);
}

export const REGISTRATION = token<Registration>('users:registration');
