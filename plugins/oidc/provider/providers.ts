import { token, type BackendClient, type Clock } from '../../../core/index.ts';
import { secretIn } from '../config-check.ts';
import type { OidcSettings } from '../config.ts';
import { SignInProviderNotFound } from '../problems.ts';
import { backendFetch } from './backend-fetch.ts';
import { Provider } from './provider.ts';

/** The providers of the settings. */
export class Providers {
  readonly all: readonly Provider[];

  constructor({
    settings,
    backends,
    clock,
  }: {
    readonly settings: OidcSettings;
    readonly backends: BackendClient;
    readonly clock: Clock;
  }) {
    const timeoutMs = settings.timeout_ms;
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
