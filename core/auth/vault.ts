import { token } from '../di/token.ts';

/**
 * Encrypts secrets that are stored, so that a stolen database does not reveal them: AES-256-GCM under a key derived from
 * `SECRET_KEY` per purpose (HKDF), with the row's identity as additional data. Makes digests of texts that must not be stored.
 */
export interface Vault {
  /** `purpose` separates uses (`repohost:access-token`), `identity` binds the text to its row. */
  seal(purpose: string, identity: string, plain: string): string;
  /**
   * Decrypts a text. Throws when it was tampered with, moved to another row, or sealed under another key than `SECRET_KEY` and
   * `SECRET_KEY_FALLBACK`.
   */
  open(purpose: string, identity: string, sealed: string): string;
  /**
   * Seals a text under `SECRET_KEY` that was sealed under `SECRET_KEY_FALLBACK`; `undefined` when it is sealed under
   * `SECRET_KEY` already. For the start of plugins that store sealed texts. Throws like `open`.
   */
  reseal(purpose: string, identity: string, sealed: string): string | undefined;
  /**
   * A digest that is the same on all instances that share `SECRET_KEY`: HMAC-SHA256 in hex, under a separate key for
   * each purpose. Without that key, guessed texts cannot be compared with the digest.
   */
  digest(purpose: string, text: string): string;
}

/** Encrypts secrets that a plugin stores in the database. */
export const VAULT = token<Vault>('core:vault');
