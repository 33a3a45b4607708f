import { defineSettings, setting, Type, type SettingsOf } from '../../core/index.ts';
import { providerComplaint, secretsComplaint } from './config-check.ts';
import { ProviderSettings } from './provider-settings.ts';

export const OidcSettings = defineSettings(
  'oidc',
  {
    providers: setting(
      Type.Array(ProviderSettings, {
        maxItems: 20,
        description: 'a list of objects, or JSON in the environment; plugins/oidc/README.md has their fields',
      }),
      {
        default: [],
        description: 'OpenID providers by which people and machines sign in.',
      },
    ),
    client_secrets: setting(Type.Array(Type.String()), {
      default: [],
      secret: true,
      description:
        'The secret of this service at each provider, as `ID=SECRET`. Without one, this service is a public client there, which proves itself by PKCE only.',
    }),
  },
  ({ providers, client_secrets }) => ({
    providers: providerComplaint(providers),
    client_secrets: secretsComplaint(client_secrets, providers),
  }),
);

export type OidcSettings = SettingsOf<typeof OidcSettings>;
