import { defineEvent, token, Type } from '../../core/index.ts';

/** Finds the owners of API keys. */
export interface KeyOwners {
  /** The id of the owner; `undefined` when there is no such key. Revoked and expired keys have an owner until they are deleted. */
  ownerOf(keyId: string): Promise<string | undefined>;
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
