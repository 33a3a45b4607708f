import { createHmac } from 'node:crypto';
import { storedSecret } from '../../core/auth/generated-secret.ts';
import { JWT_SECRET_FILE, VAULT_KEY_FILE } from '../../core/auth/secret-source.ts';
import type { JwtValues, SecretsValues } from '../../core/auth/settings.ts';

/** A secret of the installation, as far as it exists. */
export interface InstallationSecret {
  /** The name of its file in the data directory, when it was generated. */
  readonly file: string;
  /** The environment name of its setting. */
  readonly env: string;
  /** What is lost without it. */
  readonly loss: string;
  /** From the settings; empty when nothing is set. */
  readonly configured: string;
  /** The generated one in the data directory. */
  readonly generated: string | undefined;
}

/** The secrets without which a restored database is of less use. Generates none. */
export function installationSecrets(
  jwt: JwtValues,
  secrets: SecretsValues,
  dataDir: string,
): readonly InstallationSecret[] {
  const vaultKey: InstallationSecret = {
    file: VAULT_KEY_FILE,
    env: 'SECRET_KEY',
    loss: 'access tokens that are stored encrypted cannot be opened',
    configured: secrets.key,
    generated: storedSecret(dataDir, VAULT_KEY_FILE),
  };
  const signing: InstallationSecret = {
    file: JWT_SECRET_FILE,
    env: 'JWT_SECRET',
    loss: 'all users have to sign in again',
    configured: jwt.secret,
    generated: storedSecret(dataDir, JWT_SECRET_FILE),
  };
  return jwt.algorithm === 'HS256' ? [signing, vaultKey] : [vaultKey];
}

/** The secret in use; `undefined` when the next start would generate one. */
export function secretInUse({ configured, generated }: InstallationSecret): string | undefined {
  return configured === '' ? generated : configured;
}

/** A digest of a secret, from which it cannot be calculated. */
export function secretDigest({ file }: Pick<InstallationSecret, 'file'>, secret: string): string {
  return createHmac('sha256', secret).update(`vitrine backup ${file}`).digest('hex');
}
