import type { Options } from '@node-rs/argon2';

/** To the thread that hashes: make a hash of a password, or tell whether it has this one. */
export type HashOrder =
  | { readonly kind: 'hash'; readonly password: string; readonly cost: Options }
  | { readonly kind: 'verify'; readonly password: string; readonly hash: string };
