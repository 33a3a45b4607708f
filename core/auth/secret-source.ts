import { generatedSecret } from './generated-secret.ts';

/** A secret of the installation: from the settings, or generated once and stored in the data directory. */
export interface SecretSource {
  /** Empty when nothing is configured. */
  readonly value: string;
  /** The file for a generated secret inside the data directory. */
  readonly file: string;
  readonly dataDir: string;
}

/** The files of generated secrets in the data directory. */
export const JWT_SECRET_FILE = 'jwt-secret';
export const VAULT_KEY_FILE = 'secret-key';

const MINIMUM_BYTES = 32;
const MINIMUM_DISTINCT_CHARACTERS = 8;

/** Words that occur in the example secrets of manuals; a random secret contains none of them. */
const PLACEHOLDER_WORDS = [
  'changeme',
  'changethis',
  'changeit',
  'replaceme',
  'replacethis',
  'yoursecret',
  'yourjwtsecret',
  'your256bitsecret',
  'asecret',
  'stringsecret',
  'mysecret',
  'topsecret',
  'supersecret',
  'secretkey',
  'jwtsecret',
  'password',
  'example',
  'insecure',
  'placeholder',
  'abcdefghijklmnop',
  '0123456789',
  '1234567890',
];

/** The configured secret, or the generated one. */
export function secretFrom({ value, dataDir, file }: SecretSource): string {
  return value === '' ? generatedSecret(dataDir, file) : value;
}

/** Why a secret of the settings can be guessed. */
export function secretComplaint(value: string): string | undefined {
  const weakness = value === '' ? undefined : weaknessOf(value);
  return weakness === undefined
    ? undefined
    : `${weakness}; set at least ${MINIMUM_BYTES} random bytes, for example from \`openssl rand -base64 48\`, ` +
        'or leave it empty to have one made and kept in the data directory';
}

function weaknessOf(value: string): string | undefined {
  const bytes = Buffer.byteLength(value);
  if (bytes < MINIMUM_BYTES) return `is too short: ${bytes} bytes`;
  if (new Set(value).size < MINIMUM_DISTINCT_CHARACTERS) return 'repeats a few characters and can be guessed';
  return isWellKnown(value) ? 'is a well-known example value' : undefined;
}

function isWellKnown(value: string): boolean {
  const letters = value.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return PLACEHOLDER_WORDS.some((word) => letters.includes(word));
}
