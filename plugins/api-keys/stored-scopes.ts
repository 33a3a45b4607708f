import type { SCOPES } from '../../core/index.ts';

export type Scope = (typeof SCOPES)[number];

/** Scopes as they are stored: separated by spaces, null for a key that is kept to none. */
export function storedScopes(scopes: readonly Scope[] | undefined): string | null {
  return scopes?.join(' ') ?? null;
}

/** The scopes that a stored key is kept to; `undefined` for none. */
export function scopesIn(stored: string | null): readonly Scope[] | undefined {
  return stored?.split(' ') as Scope[] | undefined;
}
