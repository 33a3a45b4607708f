import { networkMatcher, SCOPES } from '../../core/index.ts';

export type Scope = (typeof SCOPES)[number];

/** The stored form of ids or networks: separated by spaces, or null for a key without the restriction. */
export function stored(list: readonly string[] | null | undefined): string | null {
  return list?.join(' ') ?? null;
}

/** The stored form of scopes. All of them are no restriction. */
export function storedScopes(scopes: readonly Scope[] | undefined): string | null {
  return scopes?.length === SCOPES.length ? null : stored(scopes);
}

/** A stored list; `undefined` for a key without the restriction. */
export function listIn(text: string | null | undefined): readonly string[] | undefined {
  return text?.split(' ');
}

/** The scopes of a stored key; `undefined` for a key without restriction. */
export function scopesIn(text: string | null): readonly Scope[] | undefined {
  return listIn(text) as readonly Scope[] | undefined;
}

/** Tests whether an address is in the stored networks; `undefined` for a key without restriction. */
export function networksIn(text: string | null | undefined): ((address: string) => boolean) | undefined {
  const networks = listIn(text);
  // What cannot be read covers no address.
  return networks && (networkMatcher(networks) ?? (() => false));
}
