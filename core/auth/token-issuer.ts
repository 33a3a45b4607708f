import jsonwebtoken, { type Jwt, type SignOptions, type VerifyOptions } from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { token } from '../di/token.ts';
import { InvalidCredentials } from '../errors/core-problems.ts';
import type { Clock } from '../support/clock.ts';
import { newId } from '../support/ids.ts';
import type { Logger } from '../telemetry/logger.ts';
import { digestOf, signingKeys, type SigningKeys } from './signing-keys.ts';
import type { JwtValues } from './settings.ts';

/** The claims of a verified bearer token. */
export interface TokenClaims {
  readonly sub: string;
  readonly jti: string;
  /** Seconds since 1970. */
  readonly iat: number;
  readonly exp: number;
}

/** Issues and verifies the JWTs of this installation (algorithm pinned; sub, iat, exp, jti, iss, aud). */
export interface TokenIssuer {
  /** Issues a token. `jti` is its id, a new one by default; pass it when its order among other ids matters. */
  issue(subject: string, jti?: string): { readonly token: string; readonly claims: TokenClaims };
  /** A digest of the key: equal on instances that verify each other's tokens. It does not help to guess the key. */
  readonly keyDigest: string;
  /** Verifies a token and caches the result. Throws `InvalidCredentials` for anything but a valid token of this service. */
  verify(jwt: string): TokenClaims;
}

/** Issues and verifies the bearer tokens of the service. */
export const TOKEN_ISSUER = token<TokenIssuer>('core:token-issuer');

/** The type of an access token (RFC 9068), so that no other JWT with the same key is accepted as one. */
const TOKEN_TYPE = 'at+jwt';

const LONGEST_TOKEN = 4096;
const CLOCK_SKEW_SECONDS = 60;
const FORM = /^[\w-]+\.[\w-]+\.([\w-]+)$/;
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

/** Whether a text has exactly the form of issued tokens: no padding, no stray bits, no white space, no excess length. */
function hasTokenForm(token: string): boolean {
  if (token.length > LONGEST_TOKEN) return false;
  const signature = FORM.exec(token)?.[1];
  return signature !== undefined && Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/** The claims of a token with a valid signature; `undefined` when this service would not have issued it. */
function claimsOf(jwt: Jwt | undefined, now: number, settings: JwtValues): TokenClaims | undefined {
  if (jwt === undefined || !headerIsOurs(jwt.header) || typeof jwt.payload === 'string') return undefined;
  const { sub, jti, iat, exp, aud } = jwt.payload;
  if (!isName(sub) || !isName(jti) || !isSecond(iat) || !isSecond(exp)) return undefined;
  if (aud !== settings.audience) return undefined;
  if (iat > now + CLOCK_SKEW_SECONDS || exp <= iat || exp - iat > settings.ttl) return undefined;
  return Object.freeze({ sub, jti, iat, exp });
}

/** Accepts only the two members that we write: no `crit`, no key chosen by the sender. */
function headerIsOurs(header: Jwt['header']): boolean {
  return header.typ === TOKEN_TYPE && Object.keys(header).length === 2;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= 200;
}

function isSecond(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
