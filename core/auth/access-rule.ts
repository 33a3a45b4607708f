import type { Permission } from './permission.ts';

/**
 * Who may use a route. Every route declares one; there is no default.
 * - `anonymous`: anybody; credentials are not even looked at. For probes, and for signing in with a stale token at hand.
 * - `public`: anybody; valid credentials are still recognised, bad ones still refused.
 * - `user`: any active account, by token or key.
 * - `account`: any active account that signed in itself; an API key is refused.
 * - `admin`: administrators.
 * - a permission: administrators, and callers that a decider lets through.
 */
export type AccessRule = 'anonymous' | 'public' | 'user' | 'account' | 'admin' | Permission;
