import type { Principal } from '../auth/principal.ts';

/** Who makes a change. */
export interface Author {
  /** An account by sign-in or by API key, a command, a plugin of its own accord, or a client without credentials. */
  readonly kind: 'user' | 'key' | 'command' | 'plugin' | 'anonymous';
  /** The name of the account or of the command, or the id of the plugin. */
  readonly name?: string | undefined;
  readonly user_id?: string | undefined;
  /** The id of the API key, or the identifier of the token. */
  readonly credential_id?: string | undefined;
  /** The client's address. */
  readonly address?: string | undefined;
  readonly request_id?: string | undefined;
}

/** The author of what a request changes: `authorOf(input)` in the handler of a route. */
export function authorOf({
  principal,
  request,
}: {
  readonly principal: Principal;
  readonly request: { readonly id: string | undefined; readonly ip: string };
}): Author {
  const from = { address: request.ip, request_id: request.id };
  if (principal.kind === 'anonymous') return { kind: 'anonymous', ...from };
  const { via, username: name, userId: user_id, credentialId: credential_id } = principal;
  return { kind: via === 'api-key' ? 'key' : 'user', name, user_id, credential_id, ...from };
}
