import { token } from '../di/token.ts';

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
