import type { UserPrincipal } from '../../../core/index.ts';

/** All of a request that the rules of the gateway look at. */
export interface Caller {
  readonly userId: string;
  /** `undefined` for one who signed in with a password. */
  readonly apiKeyId: string | undefined;
  readonly address: string;
  /** As the request names it; it need not exist. */
  readonly algorithmId: string;
}

/** Who calls what from where. */
export function callerOf(principal: UserPrincipal, address: string, algorithmId: string): Caller {
  const { userId, via, credentialId } = principal;
  return { userId, apiKeyId: via === 'api-key' ? credentialId : undefined, address, algorithmId };
}
