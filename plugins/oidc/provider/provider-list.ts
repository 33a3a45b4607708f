import { token, type BackendClient, type Clock } from '../../../core/index.ts';
import { secretIn } from '../config-check.ts';
import type { OidcSettings } from '../config.ts';
import { SignInProviderNotFound } from '../problems.ts';
import { backendFetch } from './backend-fetch.ts';
import { Provider } from './provider.ts';

/** Milliseconds for one request to a provider, which answers a few kilobytes; a browser waits for it. */
const TIMEOUT_MS = 5_000;

export interface ProvidersDeps {
  readonly settings: OidcSettings;
  readonly backends: BackendClient;
  readonly clock: Clock;
  /** Milliseconds for one request to a provider; 5,000 by default. */
  readonly timeoutMs?: number;
}

/** The providers of the settings. */
export class Providers {
  readonly all: readonly Provider[];

  constructor({ settings, backends, clock, timeoutMs = TIMEOUT_MS }: ProvidersDeps) {
    const fetch = backendFetch(backends, timeoutMs);
    const secrets = settings.client_secrets.flatMap((entry) => secretIn(entry) ?? []);
    this.all = settings.providers.map((provider) => {
      const secret = secrets.find(({ id }) => id === provider.id)?.secret;
      return new Provider({ settings: provider, secret, fetch, timeoutMs, clock });
    });
  }

  /** Throws `SignInProviderNotFound`. */
  get(id: string): Provider {
    const found = this.all.find((provider) => provider.id === id);
    if (!found) throw SignInProviderNotFound(`No provider has the id "${id}".`);
    return found;
  }
}

export const PROVIDERS = token<Providers>('oidc:providers');
