import {
  InvalidCredentials,
  type CredentialSource,
  type CredentialVerifier,
  type UserPrincipal,
  type ServiceOf,
  type TOKEN_ISSUER,
} from '../../core/index.ts';
import { forgottenCookie, sessionTokens } from './session-cookie.ts';
import type { TokenClaims, TokenVerifier } from './token-verifier.ts';

/** Verifies the token in the cookie of a session. What it refuses, the browser is told to forget. */
export class SessionVerifier implements CredentialVerifier {
  readonly name = 'users:session';
  readonly isAmbient = true;
  readonly #issuer: ServiceOf<typeof TOKEN_ISSUER>;
  readonly #tokens: TokenVerifier;

  constructor(issuer: ServiceOf<typeof TOKEN_ISSUER>, tokens: TokenVerifier) {
    this.#issuer = issuer;
    this.#tokens = tokens;
  }

  verify(source: CredentialSource): UserPrincipal | undefined | Promise<UserPrincipal | undefined> {
    const sent = sessionTokens(source);
    if (sent.length === 0) return undefined;
    const claims = this.#firstOf(sent);
    if (claims === undefined) throw sessionEnded(source);
    const ended = (error: unknown): never => {
      throw InvalidCredentials.is(error) ? sessionEnded(source) : error;
    };
    try {
      const holder = this.#tokens.holderOf(claims, 'session');
      return holder instanceof Promise ? holder.catch(ended) : holder;
    } catch (error) {
      return ended(error);
    }
  }

  /** Another installation on the same host, or a page of a sub-domain, may have set a cookie of the same name. */
  #firstOf(tokens: readonly string[]): TokenClaims | undefined {
    for (const each of tokens) {
      try {
        return this.#issuer.verify(each);
      } catch (error) {
        if (!InvalidCredentials.is(error)) throw error;
      }
    }
    return undefined;
  }
}

function sessionEnded(source: CredentialSource): Error {
  return InvalidCredentials('The session has ended. Sign in again.', {
    headers: { 'Set-Cookie': forgottenCookie(source) },
  });
}
