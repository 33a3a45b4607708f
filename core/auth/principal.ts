import type { Scope } from './scope.ts';

/** The role of an account: an administrator has every right, a user only granted ones. */
export type Role = 'user' | 'admin';

/** The principal of a request without credentials. */
export interface Anonymous {
  readonly kind: 'anonymous';
}

/**
 * How an account authenticated: by a bearer token of this service, by the cookie of a session, by an API key, or by a
 * method of a plugin, whose name begins with the plugin's id: `single-sign-on:session`.
 */
export type SignInMethod = 'token' | 'session' | 'api-key' | `${string}:${string}`;

/** A signed-in account. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly userId: string;
  readonly username: string;
  readonly role: Role;
  /** Only a token and a session may manage keys and passwords. */
  readonly via: SignInMethod;
  /** The `jti` of the token or of the session's token, the id of the key, or the identifier of the plugin that provides another method. */
  readonly credentialId: string;
  /** The scopes to which the credential is restricted; undefined for no restriction. */
  readonly scopes?: readonly Scope[] | undefined;
  /**
   * The ids of the resources, such as algorithms, to which the credential is restricted; undefined for no restriction. Only
   * operations that declare `heedsResources`, and public ones, are called with such a principal.
   */
  readonly resources?: ReadonlySet<string> | undefined;
}

/** The author of a request. */
export type Principal = Anonymous | UserPrincipal;

/** The one value of `Anonymous`. */
export const anonymous: Anonymous = { kind: 'anonymous' };
