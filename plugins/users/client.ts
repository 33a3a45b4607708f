import type { SessionRequest } from './contract.ts';

/** Where a sign-in comes from. */
export interface Client {
  readonly address: string;
  readonly userAgent?: string | undefined;
  readonly requestId?: string | undefined;
}

/** The client of a request. */
export function clientOf(request: SessionRequest): Client {
  return { address: request.ip, userAgent: request.header('user-agent'), requestId: request.id };
}
