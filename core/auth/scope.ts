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
