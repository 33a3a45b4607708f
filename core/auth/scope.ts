import { InsufficientScope } from '../errors/problems.ts';
import type { Principal } from './principal.ts';

/** What a credential may be kept to; one that is kept to nothing may all that its account may. */
export const SCOPES = ['read', 'call', 'manage'] as const;

/**
 * What a request does:
 * - `read`: looks something up.
 * - `call`: has work done that changes nothing but its own record.
 * - `manage`: creates, changes or deletes.
 */
export type Scope = (typeof SCOPES)[number];

/** The scope of a route that names none: only what looks things up is harmless by its method. */
export function scopeOf({ method, scope }: { readonly method: string; readonly scope?: Scope }): Scope {
  return scope ?? (method === 'GET' ? 'read' : 'manage');
}

/** Throws `InsufficientScope` for a credential that is kept to other scopes. */
export function demandScope(principal: Principal, scope: Scope): void {
  if (principal.kind !== 'user' || principal.scopes === undefined || principal.scopes.includes(scope)) return;
  throw InsufficientScope(
    `This needs the scope "${scope}", and the API key has only ${principal.scopes.join(', ')}. ` +
      `Create a key with the scope "${scope}" for it.`,
  );
}
