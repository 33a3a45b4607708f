import type { ApiDescription } from '../http/openapi/api-description.ts';
import { createApiDescription } from '../http/openapi/document.ts';
import { publicAddress } from '../http/public-url.ts';
import type { Route } from '../http/routing/route.ts';
import { ServerSettings } from '../http/server-settings.ts';
import { packageVersion } from '../support/package-root.ts';
import type { Installation } from './installation.ts';
import type { PluginPage } from './pages/page.ts';
import { routeOf } from './pages/panel-route.ts';
import type { Plan } from './plan.ts';

/**
 * The API description of a plan; needs nothing that is opened. Throws `StartupError` when a schema of another plugin has the
 * name of a different one; tests make the document of the built-in plugins.
 */
export function describePlan(plan: Plan): ApiDescription {
  const settings = plan.configuration.valuesOf(ServerSettings);
  const description = createApiDescription({
    basePath: settings.base_path,
    publicAddress: publicAddress(settings),
    version: packageVersion(),
    plugins: plan.plugins.map(({ definition: { id, summary, routes = [], problems = [] } }) => ({
      id,
      summary,
      routes,
      problems,
    })),
  });
  if (plan.plugins.some(({ found }) => found.origin !== 'built-in')) description.document();
  return description;
}

/** The plugins of the installation, enabled or not, and the settings. */
export function installationOf(plan: Plan): Omit<Installation, 'jobs'> {
  const loaded = new Map(plan.plugins.map(({ definition }) => [definition.id, definition]));
  return {
    settings: plan.configuration.entries(),
    plugins: plan.found.map(({ id, origin, enabled }) => {
      const definition = loaded.get(id);
      const { routes = [] } = definition ?? {};
      return {
        id,
        origin,
        enabled,
        leftOut: plan.leftOut.find((plugin) => plugin.id === id)?.why,
        version: definition?.version,
        summary: definition?.summary,
        requires: definition?.requires ?? [],
        routes: routes.filter(({ atRoot }) => !atRoot).map(({ method, path }) => `${method} ${path}`),
        pages: (definition?.pages ?? []).map((page) => withPaths(page, routes)),
        views: definition?.views ?? [],
        webFiles: definition?.webFiles,
        addresses: routes.filter(({ atRoot }) => atRoot).map(({ path }) => path),
      };
    }),
  };
}

function withPaths(page: PluginPage, routes: readonly Route[]): PluginPage {
  if (page.kind !== 'panels') return page;
  const panels = page.panels.map((panel) =>
    panel.kind === 'markdown' ? panel : { ...panel, from: routeOf(panel.from, routes)!.path },
  );
  return { ...page, panels };
}
