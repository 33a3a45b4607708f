import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { StartupError } from '../errors/startup-error.ts';
import { secretFrom } from './secret-source.ts';
import type { JwtValues } from './settings.ts';

/** What tokens are signed and verified with. Key objects: a text key costs fifty times as much per token. */
export interface SigningKeys {
  readonly algorithm: JwtValues['algorithm'];
  readonly sign: KeyObject;
  readonly verify: KeyObject;
}

/** Reads the keys of the configured algorithm. Throws `StartupError` naming the setting that does not fit. */
export function signingKeys(settings: JwtValues, dataDir: string): SigningKeys {
  if (settings.algorithm !== 'HS256') return keyPair(settings);
  const secret = secretFrom({
    setting: 'jwt.secret',
    environment: 'JWT_SECRET',
    value: settings.secret,
    file: 'jwt-secret',
    dataDir,
  });
  const key = createSecretKey(Buffer.from(secret));
  return { algorithm: 'HS256', sign: key, verify: key };
}

function keyPair({ algorithm, private_key, public_key }: JwtValues): SigningKeys {
  const sign = parsed('jwt.private_key (JWT_PRIVATE_KEY)', algorithm, () => createPrivateKey(private_key));
  const derived = createPublicKey(sign);
  if (!fits(algorithm, sign)) throw keyFault('jwt.private_key (JWT_PRIVATE_KEY)', algorithm);
  if (public_key !== '') {
    const given = parsed('jwt.public_key (JWT_PUBLIC_KEY)', algorithm, () => createPublicKey(public_key));
    if (!given.equals(derived)) {
      throw new StartupError(
        'The setting jwt.public_key (JWT_PUBLIC_KEY) does not belong to jwt.private_key.',
      );
    }
  }
  return { algorithm, sign, verify: derived };
}

function parsed(setting: string, algorithm: string, parse: () => KeyObject): KeyObject {
  try {
    return parse();
  } catch {
    throw keyFault(setting, algorithm);
  }
}

function fits(algorithm: string, key: KeyObject): boolean {
  const details = key.asymmetricKeyDetails ?? {};
  if (algorithm === 'RS256') return key.asymmetricKeyType === 'rsa' && (details.modulusLength ?? 0) >= 2048;
  return key.asymmetricKeyType === 'ec' && details.namedCurve === 'prime256v1';
}

function keyFault(setting: string, algorithm: string): StartupError {
  const wanted = algorithm === 'RS256' ? 'an RSA key of at least 2048 bits' : 'an EC key on the curve P-256';
  return new StartupError(
    `The setting ${setting} is not ${wanted} in PEM, which jwt.algorithm ${algorithm} needs.`,
  );
}
