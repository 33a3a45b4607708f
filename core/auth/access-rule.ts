import type { Permission } from './permission.ts';

/**
 * Which requests may use a route. Every route declares a rule; there is no default.
 * - `anonymous`: all requests; credentials are ignored. For probes, and for signing in while a stale token is sent.
 * - `public`: all requests; valid credentials are recognised, invalid ones are refused, except cookies, which are ignored.
 * - `user`: any active account, by token, session or key.
 * - `account`: any active account with a bearer token or a session; an API key is refused.
 * - `admin`: administrators.
 * - a permission: administrators, and accounts to which a decider grants it.
 */
export type AccessRule = 'anonymous' | 'public' | 'user' | 'account' | 'admin' | Permission;
