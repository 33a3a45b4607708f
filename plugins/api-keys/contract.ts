import { defineEvent, token, Type, type UserPrincipal } from '../../core/index.ts';

/** Finds API keys by their ids. */
export interface KeyOwners {
  /** The id of the owner; `undefined` when there is no such key. Revoked and expired keys have an owner until they are deleted. */
  ownerOf(keyId: string): Promise<string | undefined>;
  /**
   * As whom requests with the key from an address would be made, with its scopes and algorithms; `undefined` when there is no
   * such key. Throws what they would be refused with: `InvalidCredentials` for a key that has ended or whose account is
   * disabled, and `api_key_elsewhere`.
   */
  principalOf(keyId: string, address: string): Promise<UserPrincipal | undefined>;
}

export const KEY_OWNERS = token<KeyOwners>('api-keys:owners');

export const keyExpiresSoon = defineEvent(
  'api-keys:key-expires-soon',
  Type.Object({
    key_id: Type.String(),
    user_id: Type.String(),
    name: Type.String(),
    expires_at: Type.String({ format: 'date-time' }),
  }),
  'An API key expires within `api-keys.warn_days` days; emitted once for each expiry of a key.',
);
