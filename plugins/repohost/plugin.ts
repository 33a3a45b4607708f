import { contribute, definePlugin, LOGGER, step } from '../../core/index.ts';
import { CODE_HOSTS } from '../repositories/contract.ts';
import { RepohostSettings } from './config.ts';
import { CONFIGURATION } from './configuration.ts';
import { CONNECTIONS } from './connections.ts';
import { codeHostCheck } from './doctor.ts';
import { GiteaHost } from './gitea-host.ts';
import { migrations } from './migrations.ts';
import { repohostProblems } from './problems.ts';
import { resealToken } from './reseal-token.ts';
import { routes } from './routes.ts';
import { services } from './services.ts';

export default definePlugin({
  id: 'repohost',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Makes, changes and deletes the repositories of algorithms on a Gitea or Forgejo server',
  requires: ['repositories'],
  optional: ['catalogue'],
  config: RepohostSettings,
  services,
  routes,
  migrations,
  contributes: [
    contribute(CODE_HOSTS, {
      deps: { connections: CONNECTIONS },
      create: ({ connections }) => new GiteaHost(connections),
    }),
  ],
  problems: repohostProblems,
  doctor: [codeHostCheck],
  start: step({ configuration: CONFIGURATION, logger: LOGGER }, resealToken),
});
