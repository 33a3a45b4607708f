import { loadConfiguration } from '../../../core/config/load.ts';
import { StartupError } from '../../../core/index.ts';
import { OidcSettings } from '../../../plugins/oidc/config.ts';

/** The settings of the plugin as the start reads them, or what is wrong with them. */
export function configurationOf(
  env: NodeJS.ProcessEnv,
  overrides: Readonly<Record<string, unknown>> = {},
): { readonly values?: OidcSettings; readonly faults: readonly string[] } {
  try {
    const loaded = loadConfiguration({
      sections: [OidcSettings],
      files: [],
      env,
      overrides: { oidc: overrides },
    });
    return { values: loaded.valuesOf(OidcSettings), faults: [] };
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return { faults: error.findings.map(({ message }) => message) };
  }
}
