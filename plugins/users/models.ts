import { Model } from '../../core/index.ts';
import type { Role, UserStatus } from './contract.ts';

/** What is left of a deleted account is its id, for the records that it left. */
export type StoredStatus = UserStatus | 'deleted';

/** The `password_hash` of an account without a password; it matches no password. */
export const NO_PASSWORD = '';

export class UserRow extends Model {
  static override tableName = 'users_users';

  declare id: string;
  declare username: string;
  declare username_key: string;
  declare email: string;
  declare email_key: string;
  declare password_hash: string;
  declare role: Role;
  declare status: StoredStatus;
  /** Tokens whose `jti` is not later than this id have ended; empty when none has. */
  declare tokens_after: string;
  declare created_at: string;
  declare updated_at: string;
}

export class KnownAddressRow extends Model {
  static override tableName = 'users_known_addresses';

  /** A digest of the account and the address. */
  declare id: string;
  declare used_at: string;
}

export class TokenKeyRow extends Model {
  static override tableName = 'users_token_key';

  declare id: string;
  /** Of the key of the instance that started last. */
  declare digest: string;
}

export class RevokedTokenRow extends Model {
  static override tableName = 'users_revoked_tokens';
  static override idColumn = 'jti';

  declare jti: string;
  declare user_id: string;
  declare expires_at: string;
}

/** How a token is sent. */
export type TokenChannel = 'token' | 'session';

/** A token that a sign-in gave, until it expires. */
export class SessionRow extends Model {
  static override tableName = 'users_sessions';

  /** The `jti` of the token. */
  declare id: string;
  declare user_id: string;
  declare via: TokenChannel;
  declare address: string;
  declare user_agent: string | null;
  declare created_at: string;
  declare expires_at: string;
}

/** What a one-time link is for. */
export type LinkKind = 'invitation' | 'reset';

export class LinkRow extends Model {
  static override tableName = 'users_links';

  declare id: string;
  declare user_id: string;
  declare kind: LinkKind;
  /** SHA-256 of the token, hexadecimal. */
  declare digest: string;
  declare created_at: string;
  declare expires_at: string;
  declare used_at: string | null;
}

/** A deleted account whose records are to go as well. */
export class RecordsToDeleteRow extends Model {
  static override tableName = 'users_records_to_delete';
  static override idColumn = 'user_id';

  declare user_id: string;
  declare since: string;
}
