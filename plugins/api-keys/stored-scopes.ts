import type { SCOPES } from '../../core/index.ts';

export type Scope = (typeof SCOPES)[number];

/** The stored form of scopes: separated by spaces, or null for a key without restriction. */
export function storedScopes(scopes: readonly Scope[] | undefined): string | null {
  return scopes?.join(' ') ?? null;
}

/** The scopes of a stored key; `undefined` for a key without restriction. */
export function scopesIn(stored: string | null): readonly Scope[] | undefined {
  return stored?.split(' ') as Scope[] | undefined;
}
