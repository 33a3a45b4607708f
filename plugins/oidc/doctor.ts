import { BACKENDS, CLOCK, doctorCheck } from '../../core/index.ts';
import { OidcSettings } from './config.ts';
import type { Provider } from './provider/provider.ts';
import { Providers } from './provider/provider-list.ts';

/** Whether each provider answers, and as the one that the settings name. */
export const providersCheck = doctorCheck({
  name: 'providers',
  deps: { settings: OidcSettings.token, backends: BACKENDS, clock: CLOCK },
  check: async (deps) => {
    const { all } = new Providers(deps);
    if (all.length === 0) return [{ state: 'ok', message: 'No OpenID provider is configured.' }];
    return (await Promise.all(all.map(findingsOf))).flat();
  },
});

async function findingsOf(provider: Provider) {
  const plain = provider.settings.issuer.startsWith('http:')
    ? [
        {
          state: 'warning' as const,
          message: `The provider ${provider.title} is reached over plain HTTP, so an attacker on the network path can sign in as any user.`,
          mend: 'Give it a certificate, and oidc.providers its https address.',
        },
      ]
    : [];
  try {
    const message = await provider.use(
      async ({ issuer }) => `The provider "${provider.settings.name}" answers as ${issuer}.`,
    );
    return [{ state: 'ok' as const, message }, ...plain];
  } catch (error) {
    const mend = `Start it, or correct oidc.providers: curl -v ${provider.settings.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    return [{ state: 'warning' as const, message: (error as Error).message, mend }, ...plain];
  }
}
