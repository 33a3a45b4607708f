import { Problem, token, type Audit, type Author, type Logger } from '../../../core/index.ts';
import type { CredentialUses, SessionRequest } from '../../users/contract.ts';
import type { AccountFinder } from '../accounts/account-finder.ts';
import { identityIn, type Identity } from '../accounts/identity.ts';
import type { Rights } from '../accounts/rights.ts';
import type { KnownProvider, Provider } from '../provider/provider.ts';
import type { Providers } from '../provider/provider-list.ts';
import type { FinishedSignIn } from '../schemas.ts';
import type { Flow, Flows } from './flows.ts';
import type { ProviderSessions } from './provider-sessions.ts';

/** A browser is sent only to a provider that answered within this time, in milliseconds. */
const FRESH_MS = 60_000;
const USUAL_SCOPES = ['profile', 'email'];

export interface SignInsDeps {
  readonly providers: Providers;
  readonly flows: Flows;
  readonly finder: AccountFinder;
  readonly rights: Rights;
  readonly sessions: ProviderSessions;
  readonly uses: CredentialUses;
  readonly audit: Audit;
  readonly logger: Logger;
}

/** What a provider has proved about a person. */
interface Proved {
  readonly issuer: string;
  readonly idToken: string;
  readonly identity: Identity;
}

/** Signs people in by a provider: the authorization code flow with PKCE. */
export class SignIns {
  readonly #deps: SignInsDeps;

  constructor(deps: SignInsDeps) {
    this.#deps = deps;
  }

  /** Where to send the browser, and the header `Set-Cookie` that it keeps meanwhile. Throws `SignInProviderUnavailable`. */
  async begin(
    providerId: string,
    next: string | undefined,
    request: SessionRequest,
  ): Promise<{ readonly url: string; readonly cookie: string }> {
    const { providers, flows } = this.#deps;
    const provider = providers.get(providerId);
    const redirect_uri = new URL(`sign-in/${provider.id}`, request.publicUrl).href;
    return provider.use(async ({ client, config }) => {
      const flow: Flow = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        redirect_uri,
        next: next ?? null,
      };
      const { href } = client.buildAuthorizationUrl(config, {
        redirect_uri,
        scope: [...new Set(['openid', ...(provider.settings.scopes ?? USUAL_SCOPES)])].join(' '),
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
      });
      return { url: href, cookie: flows.cookie(provider.id, flow, request) };
    }, FRESH_MS);
  }

  /**
   * Opens a session for the person in the provider's answer. Throws `SignInEnded`, `SignInRefused` and
   * `SignInProviderUnavailable`. A failure is in the audit trail and the log, if this browser began the sign-in.
   */
  async finish(
    providerId: string,
    query: string,
    request: SessionRequest,
  ): Promise<{ readonly answer: FinishedSignIn; readonly cookie: string }> {
    const { providers, flows } = this.#deps;
    const provider = providers.get(providerId);
    const flow = flows.opened(provider.id, request);
    try {
      const proved = await provider.use((known) => this.#proved(known, provider, flow, query));
      return await this.#signedIn(provider, proved, flow, request);
    } catch (error) {
      await this.#failed(provider, error, request);
      throw error;
    }
  }

  async #proved(
    { client, config, issuer, verify }: KnownProvider,
    { settings }: Provider,
    { redirect_uri, verifier, state, nonce }: Flow,
    query: string,
  ): Promise<Proved> {
    const answered = new URL(redirect_uri);
    answered.search = query;
    const tokens = await client.authorizationCodeGrant(config, answered, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    const idToken = tokens.id_token ?? '';
    // The library leaves the signature to the connection, which may be plain HTTP.
    const claims = await verify(idToken, settings.client_id);
    const more = config.serverMetadata().userinfo_endpoint
      ? await client.fetchUserInfo(config, tokens.access_token, claims.sub ?? '')
      : {};
    return { issuer, idToken, identity: identityIn({ ...more, ...claims }, settings) };
  }

  async #signedIn(
    provider: Provider,
    { issuer, idToken, identity }: Proved,
    { next }: Flow,
    request: SessionRequest,
  ): Promise<{ readonly answer: FinishedSignIn; readonly cookie: string }> {
    const { finder, rights, sessions, uses } = this.#deps;
    const by = byPlugin(request);
    const { account, link, isNew } = await finder.find({ provider, issuer, identity, by });
    await rights.follow(link, account, identity, by);
    const cookie = await sessions.open({ provider, accountId: account.id, idToken }, request);
    uses.note(link.id);
    const answer = { user_id: account.id, username: account.username, created: isNew, next };
    return { answer, cookie };
  }

  async #failed(provider: Provider, error: unknown, request: SessionRequest): Promise<void> {
    const { audit, logger } = this.#deps;
    const reason = error instanceof Problem ? error.message : 'an unexpected fault';
    const { ip: address, id: request_id } = request;
    logger.warn({ address, provider: provider.id, reason, request_id }, 'A sign-in by a provider failed.');
    const by = { kind: 'anonymous', address, request_id } as const;
    const target = { kind: 'provider', id: provider.id, name: provider.settings.name };
    await audit.record(undefined, by, {
      action: 'account.sign_in',
      target,
      after: { reason },
      outcome: 'failure',
    });
  }
}

function byPlugin({ ip, id }: SessionRequest): Author {
  return { kind: 'plugin', name: 'oidc', address: ip, request_id: id };
}

export const SIGN_INS = token<SignIns>('oidc:sign-ins');
