/** The scopes to which a credential may be restricted; an unrestricted one has all rights of its account. */
export const SCOPES = ['read', 'call', 'manage'] as const;

/**
 * What a request does:
 * - `read`: reads only.
 * - `call`: runs work that changes nothing but its own record.
 * - `manage`: creates, changes or deletes.
 */
export type Scope = (typeof SCOPES)[number];

/** The scope of a route, by default `read` for GET and `manage` for all other methods. */
export function scopeOf({ method, scope }: { readonly method: string; readonly scope?: Scope }): Scope {
  return scope ?? (method === 'GET' ? 'read' : 'manage');
}
