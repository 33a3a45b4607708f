import { token } from '../di/token.ts';

/** What a verified bearer token says. */
export interface TokenClaims {
  readonly sub: string;
  readonly jti: string;
  /** Seconds since 1970. */
  readonly iat: number;
  readonly exp: number;
}

/** Issues and verifies the JWTs of this installation (algorithm pinned; sub, iat, exp, jti, iss, aud). */
export interface TokenIssuer {
  /** `jti` is the token's id, to be given where its order among others matters; by default a new one. */
  issue(subject: string, jti?: string): { readonly token: string; readonly claims: TokenClaims };
  /** Caches what it verified. Throws `InvalidCredentials` for anything but a valid token of ours. */
  verify(jwt: string): TokenClaims;
}

/** Issues and verifies the bearer tokens of the service. */
export const TOKEN_ISSUER = token<TokenIssuer>('core:token-issuer');
