import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { randomSecret } from '../runtime/ids.ts';
import { secretFrom } from './secret-source.ts';
import type { SecretsValues } from './settings.ts';
import type { Vault } from './vault.ts';

const FORMAT = 'v1';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
/** Node 20 would accept a tag of four bytes unless the length is fixed. */
const TAG_BYTES = 16;
const SEALED = /^v1\.([\w-]{16})\.([\w-]{22,})$/;

export interface VaultOptions {
  readonly settings: SecretsValues;
  /** Where a key of our own making is kept. */
  readonly dataDir: string;
  /** Further secrets of the installation by environment name; the key must differ from each. */
  readonly otherSecrets?: Readonly<Record<string, string>>;
}

/** Makes the vault. Sealed text is `v1.<nonce>.<ciphertext and tag>`, base64url. Throws `StartupError` for a bad key. */
export function createVault({ settings, dataDir, otherSecrets = {} }: VaultOptions): Vault {
  const secret = secretFrom({
    setting: 'secrets.key',
    environment: 'SECRET_KEY',
    value: settings.key,
    file: 'secret-key',
    dataDir,
    others: otherSecrets,
  });
  return {
    seal: (purpose, identity, plain) => seal(keyFor(secret, purpose), bound(purpose, identity), plain),
    open: (purpose, identity, sealed) => open(keyFor(secret, purpose), bound(purpose, identity), sealed),
    digest: (purpose, text) => createHmac('sha256', digestKeyFor(secret, purpose)).update(text).digest('hex'),
  };
}

function keyFor(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'vitrine vault', purpose, 32));
}

/** Never a key that encrypts as well. */
function digestKeyFor(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'vitrine digest', purpose, 32));
}

/** What a sealed text is tied to; as JSON, so that no two pairs read the same. */
function bound(purpose: string, identity: string): Buffer {
  return Buffer.from(JSON.stringify([FORMAT, purpose, identity]));
}

function seal(key: Buffer, identity: Buffer, plain: string): string {
  const nonce = randomSecret(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(identity);
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${FORMAT}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
}

function open(key: Buffer, identity: Buffer, text: string): string {
  const [, nonce, body] = SEALED.exec(text) ?? [];
  if (nonce === undefined || body === undefined) throw new Error('This is not a sealed text of this vault.');
  const bytes = Buffer.from(body, 'base64url');
  const decipher = createDecipheriv(CIPHER, key, Buffer.from(nonce, 'base64url'), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(identity).setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch (cause) {
    throw new Error(
      'The sealed text was changed, belongs to another row, or was sealed under another SECRET_KEY.',
      {
        cause,
      },
    );
  }
}
