import { createCipheriv, createDecipheriv, scryptSync } from 'node:crypto';
import { randomSecret } from '../../core/support/ids.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const SALT_BYTES = 16;
const TAG_BYTES = 16;
/** 128 MiB and about half a second for each attempt to guess. */
const COST = { n: 131_072, r: 8, p: 1 };
const MOST_N = 1_048_576;

/** A text sealed by a passphrase; buffers are base64url. */
export interface PassphraseBox {
  readonly kdf: 'scrypt';
  readonly n: number;
  readonly r: number;
  readonly p: number;
  readonly salt: string;
  readonly nonce: string;
  readonly sealed: string;
}

/** Seals a text by a passphrase (scrypt, AES-256-GCM). */
export function sealByPassphrase(text: string, passphrase: string): PassphraseBox {
  const [salt, nonce] = [randomSecret(SALT_BYTES), randomSecret(NONCE_BYTES)];
  const rules = { kdf: 'scrypt', ...COST, salt: salt.toString('base64url') } as const;
  const cipher = createCipheriv(CIPHER, keyOf(passphrase, rules), nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(JSON.stringify(rules)));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { ...rules, nonce: nonce.toString('base64url'), sealed: sealed.toString('base64url') };
}

/** The sealed text; `undefined` when the passphrase is another one, or anything was changed. */
export function openByPassphrase(
  { nonce, sealed, ...rules }: PassphraseBox,
  passphrase: string,
): string | undefined {
  try {
    const bytes = Buffer.from(sealed, 'base64url');
    const key = keyOf(passphrase, rules);
    const opening = createDecipheriv(CIPHER, key, Buffer.from(nonce, 'base64url'), {
      authTagLength: TAG_BYTES,
    });
    opening.setAAD(Buffer.from(JSON.stringify(rules))).setAuthTag(bytes.subarray(-TAG_BYTES));
    return opening.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + opening.final('utf8');
  } catch {
    return undefined;
  }
}

/** The cost comes with the box, so it is bounded. */
function keyOf(passphrase: string, { n, r, p, salt }: Omit<PassphraseBox, 'nonce' | 'sealed'>): Buffer {
  if (n > MOST_N || r > 16 || p > 4) throw new Error('The box asks for too much work.');
  const maxmem = 256 * n * r;
  return scryptSync(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64url'), 32, { N: n, r, p, maxmem });
}
