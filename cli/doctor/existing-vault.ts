import { createVault, type Vault } from '../../core/auth/vault.ts';
import { storedSecret } from '../../core/auth/generated-secret.ts';
import { VAULT_KEY_FILE } from '../../core/auth/secret-source.ts';
import type { SecretsValues } from '../../core/auth/settings.ts';

/** The vault of the installation. Unlike that of a start it makes no key: without one its methods throw. */
export function existingVault(settings: SecretsValues, dataDir: string): Vault {
  const vault = (): Vault => {
    if (settings.key === '' && storedSecret(dataDir, VAULT_KEY_FILE) === undefined)
      throw new Error('There is no SECRET_KEY yet.');
    return createVault({ settings, dataDir });
  };
  return {
    seal: (...text) => vault().seal(...text),
    open: (...text) => vault().open(...text),
    reseal: (...text) => vault().reseal(...text),
    digest: (...text) => vault().digest(...text),
  };
}
