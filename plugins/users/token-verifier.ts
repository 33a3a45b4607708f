import {
  InvalidCredentials,
  token,
  type CredentialSource,
  type CredentialVerifier,
  type UserPrincipal,
  type ServiceOf,
  type TOKEN_ISSUER,
} from '../../core/index.ts';
import type { AccountCache, KnownAccount } from './account-cache.ts';
import type { CredentialUses } from './contract.ts';
import type { TokenChannel } from './models.ts';
import type { RevokedTokens } from './revoked-tokens.ts';

/** The three parts of a JWT. Bearer tokens of another form belong to other verifiers. */
const FORM = /^[^.]*\.[^.]*\.[^.]*$/;

/** The claims of a token of this installation that has not expired. */
export type TokenClaims = ReturnType<ServiceOf<typeof TOKEN_ISSUER>['verify']>;

/** Verifies the bearer tokens of this installation. Returns no promise when account and token are cached. */
export class TokenVerifier implements CredentialVerifier {
  readonly name = 'users:token';
  readonly #issuer: ServiceOf<typeof TOKEN_ISSUER>;
  readonly #accounts: AccountCache;
  readonly #revoked: RevokedTokens;
  readonly #uses: CredentialUses;

  constructor(
    issuer: ServiceOf<typeof TOKEN_ISSUER>,
    accounts: AccountCache,
    revoked: RevokedTokens,
    uses: CredentialUses,
  ) {
    this.#issuer = issuer;
    this.#accounts = accounts;
    this.#revoked = revoked;
    this.#uses = uses;
  }

  verify({ bearer }: CredentialSource): UserPrincipal | undefined | Promise<UserPrincipal | undefined> {
    if (bearer === undefined || !FORM.test(bearer)) return undefined;
    return this.holderOf(this.#issuer.verify(bearer), 'token');
  }

  /** The account of a token. Throws `InvalidCredentials` when the token has ended. */
  holderOf(claims: TokenClaims, via: TokenChannel): UserPrincipal | Promise<UserPrincipal> {
    const known = this.#accounts.known(claims.sub);
    const revoked = this.#revoked.has(claims.jti);
    if (known instanceof Promise || revoked instanceof Promise) {
      return Promise.all([known, revoked]).then((found) => this.#used(principalOf(claims, via, ...found)));
    }
    return this.#used(principalOf(claims, via, known, revoked));
  }

  #used(principal: UserPrincipal): UserPrincipal {
    this.#uses.note(principal.credentialId);
    return principal;
  }
}

function principalOf(
  claims: TokenClaims,
  via: TokenChannel,
  known: KnownAccount | undefined,
  revoked: boolean,
): UserPrincipal {
  const valid = !revoked && known?.account.status === 'active' && claims.jti > known.tokensAfter;
  if (!valid) throw InvalidCredentials('The bearer token has ended. Sign in again.');
  const { id, username, role } = known.account;
  return { kind: 'user', userId: id, username, role, via, credentialId: claims.jti };
}

export const TOKEN_VERIFIER = token<TokenVerifier>('users:token-verifier');
