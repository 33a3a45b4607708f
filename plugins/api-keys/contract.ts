import { token } from '../../core/index.ts';

/** Finds the owners of API keys. */
export interface KeyOwners {
  /** The id of the owner; `undefined` when there is no such key. Revoked and expired keys have an owner until they are deleted. */
  ownerOf(keyId: string): Promise<string | undefined>;
}

export const KEY_OWNERS = token<KeyOwners>('api-keys:owners');
