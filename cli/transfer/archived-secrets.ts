import { restoreSecret } from '../../core/auth/generated-secret.ts';
import { secretDigest, secretInUse, type InstallationSecret } from './installation-secrets.ts';
import { openByPassphrase, sealByPassphrase, type PassphraseBox } from './passphrase-box.ts';
import { StartupError } from '../../core/errors/startup-error.ts';

/** The secrets in the header of an archive. */
export interface ArchivedSecrets {
  /** By file: a digest of the secret in use when the backup was made. */
  readonly digests: Readonly<Record<string, string>>;
  /** The files of the generated secrets that `sealed` holds. */
  readonly files: readonly string[];
  readonly sealed?: PassphraseBox;
}

/** The secrets that the service generated. Secrets that come from settings are not archived. */
export function generatedAmong(secrets: readonly InstallationSecret[]): readonly InstallationSecret[] {
  return secrets.filter(({ configured, generated }) => configured === '' && generated !== undefined);
}

/** Seals the generated secrets; without a passphrase there are only digests. */
export function archiveSecrets(
  secrets: readonly InstallationSecret[],
  passphrase: string | undefined,
): ArchivedSecrets {
  const digests: Record<string, string> = {};
  for (const secret of secrets) {
    const value = secretInUse(secret);
    if (value !== undefined) digests[secret.file] = secretDigest(secret, value);
  }
  if (passphrase === undefined) return { digests, files: [] };
  const generated = generatedAmong(secrets);
  const content = Object.fromEntries(generated.map((secret) => [secret.file, secret.generated]));
  return {
    digests,
    files: generated.map(({ file }) => file),
    sealed: sealByPassphrase(JSON.stringify(content), passphrase),
  };
}

/** What a restore does about one secret. */
export interface SecretRestore {
  readonly secret: InstallationSecret;
  /** To be written into the data directory. */
  readonly write?: string;
  /** What the operator must do. */
  readonly note?: string;
}

/** Opens the secrets of an archive. Throws `StartupError` for another passphrase. */
export function openSecrets(
  { sealed }: ArchivedSecrets,
  passphrase: string,
): Readonly<Record<string, string>> {
  if (!sealed) return {};
  const text = openByPassphrase(sealed, passphrase);
  if (text === undefined) {
    throw new StartupError(
      'The passphrase does not open the secrets of the backup. Nothing was changed. Try again, or restore with --without-secrets.',
    );
  }
  return JSON.parse(text) as Record<string, string>;
}

/**
 * Compares the secrets of an archive with those of this installation. Throws `StartupError` when one here is another: what
 * was encrypted under the other could not be opened.
 */
export function planSecrets(
  here: readonly InstallationSecret[],
  { digests }: ArchivedSecrets,
  opened: Readonly<Record<string, string>>,
): readonly SecretRestore[] {
  return here.map((secret) => {
    const digest = digests[secret.file];
    const inUse = secretInUse(secret);
    if (digest === undefined || (inUse !== undefined && secretDigest(secret, inUse) === digest))
      return { secret };
    if (inUse !== undefined) throw otherSecret(secret);
    const write = opened[secret.file];
    return write === undefined ? { secret, note: missingNote(secret) } : { secret, write };
  });
}

/** Writes what was planned. */
export function writeSecrets(dataDir: string, planned: readonly SecretRestore[]): void {
  for (const { secret, write } of planned) {
    if (write !== undefined) restoreSecret(dataDir, secret.file, write);
  }
}

function otherSecret({ env, file, loss, configured }: InstallationSecret): StartupError {
  const way =
    configured === ''
      ? `Move the file "${file}" of the data directory away`
      : `Set ${env} to that of the backup, or unset it`;
  return new StartupError(
    `${env} is another one here than in the backup; with this one, ${loss}. Nothing was changed. ${way}, or restore with --without-secrets to keep the one here.`,
  );
}

function missingNote({ env, loss }: InstallationSecret): string {
  return `The backup does not hold ${env}. Set it to the one of that installation before the start; with another one, ${loss}.`;
}
