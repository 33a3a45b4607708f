import { LRUCache } from 'lru-cache';
import {
  InvalidCredentials,
  type Clock,
  type CredentialSource,
  type CredentialVerifier,
  type UserPrincipal,
} from '../../core/index.ts';
import type { Account, Accounts, CredentialUses } from '../users/contract.ts';
import type { AccountFinder } from './accounts/account-finder.ts';
import { identityIn } from './accounts/identity.ts';
import type { KnownLink, Links } from './accounts/links.ts';
import { withoutSlash } from './config-check.ts';
import { SignInRefused } from './problems.ts';
import { CLOCK_TOLERANCE_SECONDS, type Provider } from './provider/provider.ts';
import type { Providers } from './provider/provider-list.ts';

/** The three parts of a JWT. */
const FORM = /^[\w-]+\.([\w-]+)\.[\w-]+$/;
const LONGEST_TOKEN = 16_384;
const MAX_CACHED = 10_000;
/** A provider may withdraw a key, so a signature is verified again after this time. */
const VERIFIED_FOR_MS = 300_000;

/** A token whose signature was verified. */
interface VerifiedToken {
  readonly issuer: string;
  readonly subject: string;
  /** Until when the signature need not be verified again, in milliseconds since 1970. */
  readonly ends: number;
}

export interface MachineTokensDeps {
  readonly providers: Providers;
  readonly finder: AccountFinder;
  readonly links: Links;
  readonly accounts: Accounts;
  readonly uses: CredentialUses;
  readonly clock: Clock;
}

/** Accepts the access tokens of providers that have an audience: JWTs that name it and were signed by the provider. */
export class MachineTokens implements CredentialVerifier {
  readonly name = 'oidc:access-token';
  readonly #deps: MachineTokensDeps;
  readonly #providers: ReadonlyMap<string, Provider>;
  readonly #verified = new LRUCache<string, VerifiedToken>({ maxSize: MAX_CACHED, sizeCalculation: () => 1 });

  constructor(deps: MachineTokensDeps) {
    this.#deps = deps;
    const accepted = deps.providers.all.filter(({ settings }) => settings.audience !== undefined);
    this.#providers = new Map(accepted.map((provider) => [withoutSlash(provider.settings.issuer), provider]));
  }

  verify({ bearer, ip }: CredentialSource): UserPrincipal | undefined | Promise<UserPrincipal | undefined> {
    if (this.#providers.size === 0 || bearer === undefined) return undefined;
    const known = this.#verified.get(bearer);
    if (known !== undefined && this.#deps.clock.now() < known.ends) return this.#holder(known, bearer, ip);
    const provider = this.#providers.get(issuerIn(bearer) ?? '');
    return provider && this.#checked(provider, bearer, ip);
  }

  #holder(known: VerifiedToken, bearer: string, ip: string): UserPrincipal | Promise<UserPrincipal> {
    const link = this.#deps.links.find(known.issuer, known.subject);
    if (!(link instanceof Promise)) return this.#ofLink(link);
    return link.then((found) => (found ? this.#ofLink(found) : this.#checkedAgain(bearer, ip)));
  }

  #ofLink(link: KnownLink): UserPrincipal | Promise<UserPrincipal> {
    const account = this.#deps.accounts.find(link.user_id);
    return account instanceof Promise
      ? account.then((found) => this.#principal(link, found))
      : this.#principal(link, account);
  }

  /** Its link was removed. */
  #checkedAgain(bearer: string, ip: string): Promise<UserPrincipal> {
    return this.#checked(this.#providers.get(issuerIn(bearer) ?? '')!, bearer, ip);
  }

  async #checked(provider: Provider, bearer: string, ip: string): Promise<UserPrincipal> {
    const { finder, clock } = this.#deps;
    try {
      const { issuer, claims } = await provider.use(async (known) => ({
        issuer: known.issuer,
        claims: await known.verify(bearer, provider.settings.audience!),
      }));
      const identity = identityIn(claims, provider.settings);
      const by = { kind: 'plugin', name: 'oidc', address: ip } as const;
      const { account, link } = await finder.find({ provider, issuer, identity, by });
      const expires = (claims.exp! + CLOCK_TOLERANCE_SECONDS) * 1000;
      const ends = Math.min(expires, clock.now() + VERIFIED_FOR_MS);
      this.#verified.set(bearer, { issuer, subject: identity.subject, ends });
      return this.#principal(link, account);
    } catch (error) {
      throw SignInRefused.is(error) ? InvalidCredentials(error.message, { cause: error }) : error;
    }
  }

  #principal(link: KnownLink, account: Account | undefined): UserPrincipal {
    if (account?.status !== 'active')
      throw InvalidCredentials('The account of the access token is disabled, or was deleted.');
    this.#deps.uses.note(link.id);
    const { id: userId, username, role } = account;
    return { kind: 'user', userId, username, role, via: 'oidc:access-token', credentialId: link.id };
  }
}

/** The issuer that a token claims, before anything is verified; it only chooses whose keys are tried. */
function issuerIn(bearer: string): string | undefined {
  const [, body] = bearer.length > LONGEST_TOKEN ? [] : (FORM.exec(bearer) ?? []);
  if (body === undefined) return undefined;
  try {
    const { iss } = JSON.parse(Buffer.from(body, 'base64url').toString()) as { iss?: unknown };
    return typeof iss === 'string' ? withoutSlash(iss) : undefined;
  } catch {
    return undefined;
  }
}
