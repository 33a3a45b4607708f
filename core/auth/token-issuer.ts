import jsonwebtoken, { type Jwt, type SignOptions, type VerifyOptions } from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { InvalidCredentials } from '../errors/problems.ts';
import type { Clock } from '../support/clock.ts';
import { newId } from '../support/ids.ts';
import type { Logger } from '../telemetry/logger.ts';
import { digestOf, signingKeys, type SigningKeys } from './signing-keys.ts';
import type { JwtValues } from './settings.ts';
import { claimsOf, hasTokenForm, TOKEN_TYPE } from './token-rules.ts';
import type { TokenClaims, TokenIssuer } from './tokens.ts';

const MAX_VERIFIED = 10_000;

export interface TokenIssuerOptions {
  readonly settings: JwtValues;
  /** The directory for a generated secret. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Creates the issuer of bearer tokens. Throws `StartupError` for a truncated secret in the data directory. */
export function createTokenIssuer(options: TokenIssuerOptions): TokenIssuer {
  const { settings, clock, logger } = options;
  const keys = signingKeys(settings, options.dataDir);
  const verified = new LRUCache<string, TokenClaims>({ maxSize: MAX_VERIFIED, sizeCalculation: () => 1 });
  logger.debug({ algorithm: keys.algorithm, ttl: settings.ttl }, 'Bearer tokens are signed and verified.');

  const issue = (subject: string, jti = newId()) => {
    const iat = Math.floor(clock.now() / 1000);
    const claims: TokenClaims = { sub: subject, jti, iat, exp: iat + settings.ttl };
    return { token: jsonwebtoken.sign({ ...claims }, keys.sign, signOptions(settings, keys)), claims };
  };

  const verify = (token: string): TokenClaims => {
    const now = clock.now() / 1000;
    const known = verified.get(token);
    if (known !== undefined && now < known.exp) return known;
    verified.delete(token);
    const claims = verifiedClaims(token, now, settings, keys);
    verified.set(token, claims);
    return claims;
  };

  return { issue, verify, keyDigest: digestOf(keys) };
}

function signOptions(settings: JwtValues, { algorithm }: SigningKeys): SignOptions {
  return {
    algorithm,
    issuer: settings.issuer,
    audience: settings.audience,
    header: { alg: algorithm, typ: TOKEN_TYPE },
  };
}

/** Verifies a token. The library checks only the signature, `iss`, and `exp` if present; `claimsOf` checks the rest. */
function verifiedClaims(token: string, now: number, settings: JwtValues, keys: SigningKeys): TokenClaims {
  const claims = hasTokenForm(token)
    ? claimsOf(decoded(token, now, settings, keys), now, settings)
    : undefined;
  if (claims === undefined) {
    throw InvalidCredentials(
      'The bearer token is not a valid token of this service, or it has expired. Sign in again.',
    );
  }
  return claims;
}

function decoded(
  token: string,
  now: number,
  settings: JwtValues,
  { algorithm, verify }: SigningKeys,
): Jwt | undefined {
  const options: VerifyOptions & { complete: true } = {
    complete: true,
    algorithms: [algorithm],
    issuer: settings.issuer,
    audience: settings.audience,
    clockTimestamp: Math.floor(now),
  };
  try {
    return jsonwebtoken.verify(token, verify, options);
  } catch {
    return undefined;
  }
}
