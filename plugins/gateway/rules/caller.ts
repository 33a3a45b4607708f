import type { UserPrincipal } from '../../../core/index.ts';

/** The properties of a request that the rules of the gateway evaluate. */
export interface Caller {
  readonly userId: string;
  /** `undefined` when the request has a bearer token instead of an API key. */
  readonly apiKeyId: string | undefined;
  readonly address: string;
  /** As in the request; the algorithm need not exist. */
  readonly algorithmId: string;
}

/** The caller of a request. */
export function callerOf(principal: UserPrincipal, address: string, algorithmId: string): Caller {
  const { userId, via, credentialId } = principal;
  return { userId, apiKeyId: via === 'api-key' ? credentialId : undefined, address, algorithmId };
}
