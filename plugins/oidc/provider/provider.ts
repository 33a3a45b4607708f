import type * as Library from 'openid-client';
import type { JWTPayload } from 'jose';
import type { Clock, Problem } from '../../../core/index.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type { BackendFetch } from './backend-fetch.ts';
import { faultOfDiscovery, problemOf, RETRY_SECONDS, unavailable } from './faults.ts';

/** Where nothing else is said, the metadata of a provider is read again after this time. */
const LONGEST_AGE_MS = 3_600_000;
/** Tolerated difference between the clocks of provider and service. */
export const CLOCK_TOLERANCE_SECONDS = 60;
/** Milliseconds between two reads of the keys for tokens with an unknown key, since anybody can send such a token. */
const KEYS_COOLDOWN_MS = 1_000;

type Client = typeof Library;

/** A provider whose metadata is known. */
export interface KnownProvider {
  readonly client: Client;
  readonly config: Library.Configuration;
  readonly issuer: string;
  /** Verifies the signature, issuer, audience and times of a token. Throws errors of `jose`. */
  readonly verify: (token: string, audience: string) => Promise<JWTPayload>;
}

export interface ProviderDeps {
  readonly settings: ProviderSettings;
  readonly secret: string | undefined;
  readonly fetch: BackendFetch;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** One OpenID provider. It is asked when a request first needs it, so that one that is away stops nothing else. */
export class Provider {
  readonly settings: ProviderSettings;
  readonly #deps: ProviderDeps;
  #known: { readonly provider: KnownProvider; readonly at: number } | undefined;
  #pending: Promise<KnownProvider> | undefined;
  #failed: { readonly problem: Problem; readonly until: number } | undefined;

  constructor(deps: ProviderDeps) {
    this.settings = deps.settings;
    this.#deps = deps;
  }

  get id(): string {
    return this.settings.id;
  }

  /** How sentences name it. */
  get title(): string {
    return `"${this.settings.name}" (${this.settings.issuer})`;
  }

  /** Why it could not be used when it was last needed; `undefined` while there is no such fault. */
  get fault(): string | undefined {
    return this.#failed?.problem.message;
  }

  /**
   * Works with the provider, and turns what the libraries throw into problems. With `maxAgeMs` its metadata is no older, so
   * that no browser is sent to a provider that has gone away. Throws `SignInProviderUnavailable`.
   */
  async use<T>(work: (provider: KnownProvider) => Promise<T>, maxAgeMs?: number): Promise<T> {
    try {
      return await work(await this.#current(maxAgeMs));
    } catch (error) {
      throw problemOf(error, this.title);
    }
  }

  async #current(maxAgeMs: number | undefined): Promise<KnownProvider> {
    const { clock } = this.#deps;
    const known = this.#known;
    if (known && clock.elapsed() - known.at <= (maxAgeMs ?? LONGEST_AGE_MS)) return known.provider;
    try {
      return await this.#asked();
    } catch (error) {
      if (known && maxAgeMs === undefined) return known.provider;
      throw error;
    }
  }

  /** Asks once for all who wait, and not again for a while after a failure. */
  #asked(): Promise<KnownProvider> {
    if (this.#failed && this.#deps.clock.elapsed() < this.#failed.until)
      return Promise.reject(this.#failed.problem);
    this.#pending ??= this.#discovered().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  async #discovered(): Promise<KnownProvider> {
    const { clock } = this.#deps;
    try {
      const provider = await this.#discover();
      this.#known = { provider, at: clock.elapsed() };
      this.#failed = undefined;
      return provider;
    } catch (error) {
      const problem = faultOfDiscovery(error, this.title);
      this.#failed = { problem, until: clock.elapsed() + RETRY_SECONDS * 1000 };
      throw problem;
    }
  }

  /** The libraries are loaded here, for an installation without providers needs none. */
  async #discover(): Promise<KnownProvider> {
    const { settings, secret, fetch, timeoutMs, clock } = this.#deps;
    const [client, jose] = await Promise.all([import('openid-client'), import('jose')]);
    const { issuer, client_id, algorithm = 'RS256' } = settings;
    const config = await client.discovery(
      new URL(issuer),
      client_id,
      {
        id_token_signed_response_alg: algorithm,
        [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
      },
      authentication(client, secret),
      {
        [client.customFetch]: fetch,
        timeout: timeoutMs / 1000,
        ...(issuer.startsWith('http:') && { execute: [client.allowInsecureRequests] }),
      },
    );
    const metadata = config.serverMetadata();
    if (!metadata.jwks_uri || !URL.canParse(metadata.jwks_uri))
      throw unavailable(this.title, 'its metadata do not say where its keys are (jwks_uri).');
    const keys = jose.createRemoteJWKSet(new URL(metadata.jwks_uri), {
      [jose.customFetch]: fetch,
      cooldownDuration: KEYS_COOLDOWN_MS,
      timeoutDuration: timeoutMs,
    });
    return {
      client,
      config,
      issuer: metadata.issuer,
      verify: async (token, audience) => {
        const { payload } = await jose.jwtVerify(token, keys, {
          issuer: metadata.issuer,
          audience,
          algorithms: [algorithm],
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          currentDate: new Date(clock.now()),
          requiredClaims: ['sub', 'exp', 'iat'],
        });
        return payload;
      },
    };
  }
}

/** As the provider takes the secret; OpenID Connect says the header where it says nothing. */
function authentication(client: Client, secret: string | undefined): Library.ClientAuth {
  if (secret === undefined) return client.None();
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return methods.includes('client_secret_basic') ? basic(server, ...rest) : post(server, ...rest);
  };
}
