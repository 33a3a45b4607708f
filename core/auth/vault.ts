import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { token } from '../di/token.ts';
import { randomSecret } from '../support/ids.ts';
import { secretFrom, VAULT_KEY_FILE } from './secret-source.ts';
import type { SecretsValues } from './settings.ts';

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

const FORMAT = 'v1';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
/** Must be set explicitly: Node 20 would accept a tag of four bytes. */
const TAG_BYTES = 16;
const SEALED = /^v1\.([\w-]{16})\.([\w-]{22,})$/;

interface VaultOptions {
  readonly settings: SecretsValues;
  /** The directory for a generated key. */
  readonly dataDir: string;
}

/** Creates the vault. Sealed text is `v1.<nonce>.<ciphertext and tag>`, base64url. Throws `StartupError` for a truncated key in the data directory. */
export function createVault({ settings, dataDir }: VaultOptions): Vault {
  const fallback = settings.fallback_key;
  const secret = secretFrom({ value: settings.key, file: VAULT_KEY_FILE, dataDir });
  const secrets = fallback === '' ? [secret] : [secret, fallback];
  const opened = (purpose: string, identity: string, sealed: string): Opened =>
    open(
      secrets.map((each) => keyFor(each, purpose)),
      bound(purpose, identity),
      sealed,
    );
  const sealed = (purpose: string, identity: string, plain: string): string =>
    seal(keyFor(secret, purpose), bound(purpose, identity), plain);
  return {
    seal: sealed,
    open: (purpose, identity, text) => opened(purpose, identity, text).plain,
    reseal: (purpose, identity, text) => {
      const { plain, key } = opened(purpose, identity, text);
      return key === 0 ? undefined : sealed(purpose, identity, plain);
    },
    digest: (purpose, text) => createHmac('sha256', digestKeyFor(secret, purpose)).update(text).digest('hex'),
  };
}

function keyFor(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'vitrine vault', purpose, 32));
}

/** The key for digests, which differs from every key for encryption. */
function digestKeyFor(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'vitrine digest', purpose, 32));
}

/** The additional data of a sealed text; as JSON, so that different pairs never have the same form. */
function bound(purpose: string, identity: string): Buffer {
  return Buffer.from(JSON.stringify([FORMAT, purpose, identity]));
}

function seal(key: Buffer, identity: Buffer, plain: string): string {
  const nonce = randomSecret(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(identity);
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${FORMAT}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
}

/** The content of a sealed text, and the key under which it was sealed. */
interface Opened {
  readonly plain: string;
  readonly key: number;
}

function open(keys: readonly Buffer[], identity: Buffer, text: string): Opened {
  const [, nonce, body] = SEALED.exec(text) ?? [];
  if (nonce === undefined || body === undefined) throw new Error('This is not a sealed text of this vault.');
  const bytes = Buffer.from(body, 'base64url');
  let cause: unknown;
  for (const [index, key] of keys.entries()) {
    try {
      return { plain: decipher(key, Buffer.from(nonce, 'base64url'), identity, bytes), key: index };
    } catch (error) {
      cause ??= error;
    }
  }
  throw new Error(
    'The sealed text was changed, belongs to another row, or was sealed under another SECRET_KEY.',
    { cause },
  );
}

/** Throws when key, identity or any bit differs. */
function decipher(key: Buffer, nonce: Buffer, identity: Buffer, sealed: Buffer): string {
  const opening = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  opening.setAAD(identity).setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  return opening.update(sealed.subarray(0, -TAG_BYTES), undefined, 'utf8') + opening.final('utf8');
}
