import { createHmac } from 'node:crypto';
import type { Clock } from '../../../core/support/clock.ts';
import type { JwtValues } from '../../../core/auth/settings.ts';
import { createTokenIssuer } from '../../../core/auth/token-issuer.ts';
import { createLogger } from '../../../core/telemetry/pino-logger.ts';

/** The secret of the installation under test: random, and used nowhere else. */
export const SECRET = 'fJ2v9q7Xc0LwT5rZ8mYbN1kH4sDgP6uEaVxQoRiU3nA';

/** Seconds since 1970 at which the clock of the tests stands. */
export const NOW = 1_800_000_000;

export const settings: JwtValues = {
  secret: SECRET,
  ttl: 3600,
  issuer: 'vitrine',
  audience: 'vitrine',
  algorithm: 'HS256',
  private_key: '',
};

/** A clock that stands still until it is told otherwise. */
export function standingClock(): Clock & { seconds: number } {
  return {
    seconds: NOW,
    now() {
      return this.seconds * 1000;
    },
    elapsed() {
      return this.seconds * 1000;
    },
  };
}

export function issuerWith(
  changes: Partial<JwtValues> = {},
  clock: Clock = standingClock(),
  dataDir = '/nonexistent',
) {
  return createTokenIssuer({
    settings: { ...settings, ...changes },
    dataDir,
    clock,
    logger: createLogger({ level: 'silent' }),
  });
}

export const soundHeader = { alg: 'HS256', typ: 'at+jwt' };

export const soundClaims = {
  sub: '01890a5d-ac96-774b-bcce-b302099a8057',
  jti: '01890a5d-ac96-774b-bcce-b302099a8058',
  iat: NOW - 10,
  exp: NOW + 600,
  iss: 'vitrine',
  aud: 'vitrine',
};

export function encoded(part: unknown): string {
  const text = typeof part === 'string' ? part : JSON.stringify(part);
  return Buffer.from(text).toString('base64url');
}

/** A token written by hand, as a forger would: any header, any claims, any secret and hash. */
export function handmade(
  header: unknown,
  claims: unknown,
  secret: string | Buffer = SECRET,
  hash = 'sha256',
): string {
  const signed = `${encoded(header)}.${encoded(claims)}`;
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
}

/** A sound token but for some claims; `undefined` removes one. */
export function claiming(changes: Readonly<Record<string, unknown>>): string {
  return handmade(soundHeader, { ...soundClaims, ...changes });
}

/** A sound token but for its header. */
export function headed(
  changes: Readonly<Record<string, unknown>>,
  secret?: string | Buffer,
  hash?: string,
): string {
  return handmade({ ...soundHeader, ...changes }, soundClaims, secret, hash);
}
