import type { Jwt } from 'jsonwebtoken';
import type { JwtValues } from './settings.ts';
import type { TokenClaims } from './tokens.ts';

/** The type of an access token (RFC 9068), so that no other JWT with the same key is accepted as one. */
export const TOKEN_TYPE = 'at+jwt';

const LONGEST_TOKEN = 4096;
const CLOCK_SKEW_SECONDS = 60;
const FORM = /^[\w-]+\.[\w-]+\.([\w-]+)$/;

/** Whether a text has exactly the form of issued tokens: no padding, no stray bits, no white space, no excess length. */
export function hasTokenForm(token: string): boolean {
  if (token.length > LONGEST_TOKEN) return false;
  const signature = FORM.exec(token)?.[1];
  return signature !== undefined && Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/** The claims of a token with a valid signature; `undefined` when this service would not have issued it. */
export function claimsOf(jwt: Jwt | undefined, now: number, settings: JwtValues): TokenClaims | undefined {
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
