import type { Caller, World } from './world.ts';

/** Who may pass; where anybody may, credentials are not even looked at. Everybody else who is signed in gets 403; nobody gets past with bad credentials. */
export type Rule = 'anonymous' | 'public' | 'user' | 'account' | 'manager' | 'admin' | 'admin account';

/** An operation and who may use it. */
export interface Row {
  /** Method and path below the base, or, after two slashes, at the root. */
  readonly operation: string;
  readonly rule: Rule;
  readonly body?: (world: World, caller: Caller) => unknown;
  /** Fills the path's parameters with something that exists for this very cell. */
  readonly path?: (world: World, caller: Caller) => Promise<Record<string, string>>;
  /** What follows the path, with its question mark. */
  readonly query?: (world: World) => string;
}

export function expected(rule: Rule, caller: Caller): 'through' | 401 | 403 {
  if (rule === 'anonymous') return 'through';
  if (caller === 'forged' || caller === 'disabled') return 401;
  if (rule === 'public') return 'through';
  if (caller === 'nobody') return 401;
  const isAdmin = caller.startsWith('admin');
  const byKey = caller.endsWith('key');
  if (rule === 'user') return 'through';
  if (rule === 'account') return byKey ? 403 : 'through';
  if (rule === 'admin account') return isAdmin && !byKey ? 'through' : 403;
  if (rule === 'manager') return isAdmin || caller.startsWith('manager') ? 'through' : 403;
  return isAdmin ? 'through' : 403;
}
