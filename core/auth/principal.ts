import type { Scope } from './scope.ts';

/** What an account is allowed on the whole: an administrator may do everything, a user what is granted. */
export type Role = 'user' | 'admin';

/** Nobody in particular: no credentials were sent. */
export interface Anonymous {
  readonly kind: 'anonymous';
}

/**
 * How an account showed who it is: by a bearer token of this service, by an API key, or in a way of a plugin's own, which
 * begins with its id: `single-sign-on:session`.
 */
export type SignInMethod = 'token' | 'api-key' | `${string}:${string}`;

/** A signed-in account. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly userId: string;
  readonly username: string;
  readonly role: Role;
  /** Only a token may manage keys and passwords. */
  readonly via: SignInMethod;
  /** The `jti` of the token, the id of the key, or what the plugin of another way knows it by. */
  readonly credentialId: string;
  /** What the credential is kept to; undefined: nothing, it may all that the account may. */
  readonly scopes?: readonly Scope[] | undefined;
}

/** Who makes a request. */
export type Principal = Anonymous | UserPrincipal;

/** The principal of a request without credentials. */
export const anonymous: Anonymous = { kind: 'anonymous' };
