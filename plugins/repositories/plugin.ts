import { definePlugin, listen } from '../../core/index.ts';
import { algorithmDeleted } from '../catalogue/contract.ts';
import { CODE_HOSTS, codeHostProblems } from './contract.ts';
import { ENTRIES } from './entries.ts';
import { migrations } from './migrations.ts';
import { CodeHostAway, RepositoryHosted, RepositoryNotFound } from './problems.ts';
import { routes } from './routes.ts';
import { services } from './services.ts';

export default definePlugin({
  id: 'repositories',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Keeps a list of code repositories and links them to algorithms',
  optional: ['catalogue'],
  services,
  routes,
  migrations,
  opens: [CODE_HOSTS],
  events: {
    listens: [
      listen(algorithmDeleted, {
        deps: { entries: ENTRIES },
        // The entry of a private algorithm keeps its link: without it, every account would see the entry.
        handle: async ({ algorithm_id, access }, { entries }) => {
          if (access !== 'private') await entries.unlink(algorithm_id);
        },
      }),
    ],
  },
  problems: [RepositoryNotFound, RepositoryHosted, CodeHostAway, ...codeHostProblems],
});
