import { join } from 'node:path';
import { storedSecret } from '../../core/auth/generated-secret.ts';
import { JWT_SECRET_FILE, VAULT_KEY_FILE } from '../../core/auth/secret-source.ts';
import type { JwtValues, SecretsValues } from '../../core/auth/settings.ts';
import { StartupError } from '../../core/errors/startup-error.ts';
import type { DoctorFinding } from '../../core/telemetry/doctor-check.ts';

/** Whether the secrets that the service made in the data directory, and that it uses, are whole and can be read. Makes none. */
export function secretFindings(jwt: JwtValues, secrets: SecretsValues, dataDir: string): DoctorFinding[] {
  const files = [
    ...(jwt.algorithm === 'HS256' && jwt.secret === '' ? [JWT_SECRET_FILE] : []),
    ...(secrets.key === '' ? [VAULT_KEY_FILE] : []),
  ];
  const faults = files.flatMap((file) => faultOf(dataDir, file));
  if (faults.length > 0) return faults;
  return [{ state: 'ok', message: 'The secrets in the data directory are whole, or not made yet.' }];
}

function faultOf(dataDir: string, file: string): DoctorFinding[] {
  try {
    storedSecret(dataDir, file);
    return [];
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return [{ state: 'fault', message: error.message, mend: `ls -l ${join(dataDir, file)}` }];
  }
}
