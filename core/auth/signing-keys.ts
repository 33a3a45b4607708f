import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type KeyObject,
} from 'node:crypto';
import { JWT_SECRET_FILE, secretFrom } from './secret-source.ts';

type PairAlgorithm = 'RS256' | 'ES256';

/** How tokens are signed. */
export interface SigningSettings {
  readonly algorithm: 'HS256' | PairAlgorithm;
  /** In PEM; the public key is derived from it. */
  readonly private_key: string;
  readonly secret: string;
}

/** The keys that sign and verify tokens. Key objects, because a text key takes fifty times as long per token. */
export interface SigningKeys {
  readonly algorithm: SigningSettings['algorithm'];
  readonly sign: KeyObject;
  readonly verify: KeyObject;
}

/** Reads the keys of the configured algorithm. */
export function signingKeys(settings: SigningSettings, dataDir: string): SigningKeys {
  const { algorithm, private_key } = settings;
  if (algorithm !== 'HS256') {
    const sign = createPrivateKey(private_key);
    return { algorithm, sign, verify: createPublicKey(sign) };
  }
  const secret = secretFrom({ value: settings.secret, file: JWT_SECRET_FILE, dataDir });
  const key = createSecretKey(Buffer.from(secret));
  return { algorithm, sign: key, verify: key };
}

/** A digest of the keys, from which a secret cannot be calculated. */
export function digestOf({ verify }: SigningKeys): string {
  return verify.type === 'secret'
    ? createHmac('sha256', verify).update('vitrine token key').digest('hex')
    : createHash('sha256')
        .update(verify.export({ type: 'spki', format: 'der' }))
        .digest('hex');
}

/** Why the private key cannot be used with the algorithm; `undefined` when it can. */
export function keyComplaint(algorithm: PairAlgorithm, privateKey: string): string | undefined {
  const sign = parsed(() => createPrivateKey(privateKey));
  if (sign !== undefined && fits(algorithm, sign)) return undefined;
  return `is not ${WANTED[algorithm]} in PEM, which jwt.algorithm ${algorithm} needs`;
}

const WANTED: Readonly<Record<PairAlgorithm, string>> = {
  RS256: 'an RSA key of at least 2048 bits',
  ES256: 'an EC key on the curve P-256',
};

function parsed(parse: () => KeyObject): KeyObject | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

function fits(algorithm: PairAlgorithm, key: KeyObject): boolean {
  const details = key.asymmetricKeyDetails ?? {};
  if (algorithm === 'RS256') return key.asymmetricKeyType === 'rsa' && (details.modulusLength ?? 0) >= 2048;
  return key.asymmetricKeyType === 'ec' && details.namedCurve === 'prime256v1';
}
