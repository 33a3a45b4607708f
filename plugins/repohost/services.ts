import { AUDIT, BACKENDS, CLOCK, DATABASE, LOGGER, optional, service, VAULT } from '../../core/index.ts';
import { CATALOGUE } from '../catalogue/contract.ts';
import { REPOSITORIES } from '../repositories/contract.ts';
import { RepohostSettings } from './config.ts';
import { Configuration, CONFIGURATION } from './configuration.ts';
import { CONNECTION_TEST, ConnectionTest } from './connection-test.ts';
import { Connections, CONNECTIONS } from './connections.ts';
import { Hosting, HOSTING } from './hosting.ts';

const settings = RepohostSettings.token;

export const services = [
  service({
    token: CONFIGURATION,
    deps: { database: DATABASE, vault: VAULT, backends: BACKENDS, clock: CLOCK, audit: AUDIT },
    create: (deps) => new Configuration(deps),
  }),
  service({
    token: CONNECTIONS,
    deps: { configuration: CONFIGURATION, backends: BACKENDS },
    create: (deps) => new Connections(deps),
  }),
  service({
    token: HOSTING,
    deps: {
      connections: CONNECTIONS,
      repositories: REPOSITORIES,
      catalogue: optional(CATALOGUE),
      settings,
      logger: LOGGER,
      audit: AUDIT,
    },
    create: (deps) => new Hosting(deps),
  }),
  service({
    token: CONNECTION_TEST,
    deps: { connections: CONNECTIONS },
    create: ({ connections }) => new ConnectionTest(connections),
  }),
];
