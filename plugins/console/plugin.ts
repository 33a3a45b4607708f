import {
  API_DESCRIPTION,
  contribute,
  definePlugin,
  INSTALLATION,
  service,
  START_NOTES,
} from '../../core/index.ts';
import { CONSOLE, createConsole } from './console.ts';
import { createPageFiles, PAGE_FILES } from './page-files.ts';
import { createPageList, PAGE_LIST } from './plugin-pages.ts';
import { routes } from './routes.ts';
import { wrongAddress } from './wrong-address.ts';

export default definePlugin({
  id: 'console',
  version: '1.0.0',
  api: '^1.0',
  summary: 'The web console: browse the catalogue, try algorithms, find calls again',
  services: [
    service({ token: CONSOLE, deps: { api: API_DESCRIPTION }, create: ({ api }) => createConsole(api) }),
    service({
      token: PAGE_LIST,
      deps: { installation: INSTALLATION },
      create: ({ installation }) => createPageList(installation),
    }),
    service({
      token: PAGE_FILES,
      deps: { installation: INSTALLATION },
      create: ({ installation }) => createPageFiles(installation),
    }),
  ],
  routes,
  contributes: [
    wrongAddress,
    contribute(START_NOTES, {
      deps: {},
      create: () => ({ text: (rootUrl) => `Web console: ${rootUrl}/` }),
    }),
  ],
});
