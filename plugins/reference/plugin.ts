import { API_DESCRIPTION, contribute, definePlugin, service, START_NOTES } from '../../core/index.ts';
import { createPages, PAGES } from './pages.ts';
import { routes } from './routes.ts';

export default definePlugin({
  id: 'reference',
  version: '1.0.0',
  api: '^1.0',
  summary: 'The OpenAPI document of what is enabled, and pages that show it',
  services: [
    service({ token: PAGES, deps: { api: API_DESCRIPTION }, create: ({ api }) => createPages(api) }),
  ],
  routes,
  contributes: [
    contribute(START_NOTES, {
      deps: {},
      create: () => ({ text: (rootUrl) => `API pages: ${rootUrl}/docs` }),
    }),
  ],
});
