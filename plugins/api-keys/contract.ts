import { token } from '../../core/index.ts';

/** Knows whose API keys are. */
export interface KeyOwners {
  /** The id of the user; `undefined` when there is no such key. Revoked and expired keys have their owner still. */
  ownerOf(keyId: string): Promise<string | undefined>;
}

export const KEY_OWNERS = token<KeyOwners>('api-keys:owners');
