import { token } from '../di/token.ts';

/**
 * Encrypts what must be stored but not read by a thief of the database: AES-256-GCM under a key derived from
 * `SECRET_KEY` per purpose (HKDF), with the row's identity as additional data. Recognises again what must not be stored.
 */
export interface Vault {
  /** `purpose` separates uses (`repohost:access-token`), `identity` binds the text to its row. */
  seal(purpose: string, identity: string, plain: string): string;
  /**
   * Throws when the text was tampered with, moved to another row, or sealed under another key than `SECRET_KEY` and
   * `SECRET_KEY_FALLBACK`.
   */
  open(purpose: string, identity: string, sealed: string): string;
  /**
   * The text sealed under `SECRET_KEY`, where it was sealed under `SECRET_KEY_FALLBACK`; `undefined` when there is nothing
   * to change. For the start of plugins that keep sealed texts. Throws as `open` does.
   */
  reseal(purpose: string, identity: string, sealed: string): string | undefined;
  /**
   * The same for equal texts on all instances that share `SECRET_KEY`: HMAC-SHA256 in hex, under a key of its own for
   * each purpose. Without that key no text can be guessed and compared.
   */
  digest(purpose: string, text: string): string;
}

/** Encrypts what a plugin keeps secret in the database. */
export const VAULT = token<Vault>('core:vault');
