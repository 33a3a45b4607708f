import type { Scope } from './scope.ts';

/** What an account is allowed on the whole: an administrator may do everything, a user what is granted. */
export type Role = 'user' | 'admin';

/** Nobody in particular: no credentials were sent. */
export interface Anonymous {
  readonly kind: 'anonymous';
}

/** A signed-in account. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly userId: string;
  readonly username: string;
  readonly role: Role;
  /** How the account showed who it is. A key may not manage keys or passwords. */
  readonly via: 'token' | 'api-key';
  /** The `jti` of the token, or the id of the key. */
  readonly credentialId: string;
  /** What the credential is kept to; undefined: nothing, it may all that the account may. */
  readonly scopes?: readonly Scope[] | undefined;
}

/** Who makes a request. */
export type Principal = Anonymous | UserPrincipal;

/** The principal of a request without credentials. */
export const anonymous: Anonymous = { kind: 'anonymous' };
