import Type from 'typebox';
import { defineSettings, setting, type SettingsOf } from '../config/settings.ts';
import { secretComplaint } from './secret-source.ts';
import { keyComplaint } from './signing-keys.ts';

/** The longest lifetime of a bearer token, whatever the settings are. */
export const LONGEST_TOKEN_SECONDS = 86_400;

/** How bearer tokens are signed. */
export const JwtSettings = defineSettings(
  'jwt',
  {
    secret: setting(Type.String(), {
      default: '',
      secret: true,
      description:
        'Signs bearer tokens (HS256), at least 32 bytes. Empty: made once and kept in the data directory. Instances that share a database must share it.',
    }),
    ttl: setting(Type.Integer({ minimum: 1, maximum: LONGEST_TOKEN_SECONDS }), {
      default: 3600,
      description: 'Seconds that a bearer token lives. Lowering it ends tokens that were issued for longer.',
    }),
    issuer: setting(Type.String({ minLength: 1, maxLength: 200 }), {
      default: 'vitrine',
      description: 'The `iss` of bearer tokens.',
    }),
    audience: setting(Type.String({ minLength: 1, maxLength: 200 }), {
      default: 'vitrine',
      description: 'The `aud` of bearer tokens. Give installations that share a secret different ones.',
    }),
    algorithm: setting(Type.Enum(['HS256', 'RS256', 'ES256']), {
      default: 'HS256',
      description:
        'The one algorithm that is used and accepted: HS256 with the secret, RS256 or ES256 with the private key.',
    }),
    private_key: setting(Type.String(), {
      default: '',
      secret: true,
      description:
        'PEM private key for RS256 (at least 2048 bits) or ES256 (P-256); the public key is derived from it.',
    }),
  },
  (values) =>
    values.algorithm === 'HS256'
      ? { secret: secretComplaint(values.secret) }
      : { private_key: keyComplaint(values.algorithm, values.private_key) },
);

export type JwtValues = SettingsOf<typeof JwtSettings>;

/** The key of everything that is stored encrypted. */
export const SecretsSettings = defineSettings(
  'secrets',
  {
    key: setting(Type.String(), {
      default: '',
      env: 'SECRET_KEY',
      secret: true,
      description:
        'Encrypts stored secrets, at least 32 bytes. Empty: made once and kept in the data directory. Instances that share a database must share it.',
    }),
    fallback_key: setting(Type.String(), {
      default: '',
      env: 'SECRET_KEY_FALLBACK',
      secret: true,
      description:
        'Opens stored secrets that were encrypted under another key, for as long as the key is being changed; at start they are encrypted anew under `key`.',
    }),
  },
  ({ key }) => ({ key: secretComplaint(key) }),
);

export type SecretsValues = SettingsOf<typeof SecretsSettings>;
