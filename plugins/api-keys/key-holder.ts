import { InvalidCredentials, type UserPrincipal } from '../../core/index.ts';
import type { Account } from '../users/contract.ts';
import type { KeyRow } from './models.ts';
import { KeyElsewhere } from './problems.ts';
import { listIn, networksIn, scopesIn, type Scope } from './stored-lists.ts';

/** The columns of a key that say for whom and for what it works. */
export const KEY_COLUMNS = [
  'id',
  'user_id',
  'expires_at',
  'revoked_at',
  'scopes',
  'algorithms',
  'networks',
  'previous_hash',
  'previous_until',
] as const satisfies readonly (keyof KeyRow)[];

export type StoredKey = Pick<KeyRow, (typeof KEY_COLUMNS)[number]>;

/** A key that is in the database and was not revoked. */
export interface KnownKey {
  readonly id: string;
  readonly userId: string;
  /** The end of the key, or of a secret that was rotated; milliseconds since 1970. */
  readonly expiresAt: number;
  readonly scopes: readonly Scope[] | undefined;
  /** The algorithms that the key is restricted to. */
  readonly resources: ReadonlySet<string> | undefined;
  /** Tests addresses against the networks that the key is restricted to. */
  readonly accepts: ((address: string) => boolean) | undefined;
}

/** By the hash of the secret that was sent; without one, by the present secret. Throws `InvalidCredentials` for a revoked key. */
export function knownKey(row: StoredKey, hash?: string): KnownKey {
  if (row.revoked_at !== null) throw invalidKey();
  const algorithms = listIn(row.algorithms);
  const until = row.previous_hash === hash ? row.previous_until : null;
  return {
    id: row.id,
    userId: row.user_id,
    expiresAt: Math.min(Date.parse(row.expires_at), until === null ? Infinity : Date.parse(until)),
    scopes: scopesIn(row.scopes),
    resources: algorithms && new Set(algorithms),
    accepts: networksIn(row.networks),
  };
}

/** As whom requests with a key from an address are made. Throws `InvalidCredentials` and `KeyElsewhere`. */
export function holderOf(key: KnownKey, account: Account | undefined, address: string): UserPrincipal {
  if (account?.status !== 'active') throw invalidKey();
  if (key.accepts !== undefined && !key.accepts(address)) throw elsewhere(address);
  const { id, username, role } = account;
  const { id: credentialId, scopes, resources } = key;
  return { kind: 'user', userId: id, username, role, via: 'api-key', credentialId, scopes, resources };
}

export function invalidKey(): Error {
  return InvalidCredentials('The API key is unknown, expired or revoked, or its account is disabled.');
}

/** Does not tell the networks, which are no business of who found the key. */
function elsewhere(address: string): Error {
  return KeyElsewhere(
    `The API key is restricted to some networks, and the address ${address} is in none of them. Its owner can change the \`networks\` of the key.`,
  );
}
