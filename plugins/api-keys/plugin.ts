import {
  CLOCK,
  contribute,
  CREDENTIAL_VERIFIERS,
  DATABASE,
  definePlugin,
  job,
  LOGGER,
  service,
  INVALIDATION,
  step,
} from '../../core/index.ts';
import { ACCOUNTS, SIGNED_IN, STANDING_CREDENTIALS } from '../users/contract.ts';
import { API_KEYS, ApiKeys } from './api-keys.ts';
import { ApiKeysSettings } from './config.ts';
import { KEY_OWNERS } from './contract.ts';
import { KeyVerifier } from './key-verifier.ts';
import { LAST_USES, LastUses } from './last-uses.ts';
import { migrations } from './migrations.ts';
import { apiKeysProblems } from './problems.ts';
import { routes } from './routes.ts';

export default definePlugin({
  id: 'api-keys',
  version: '1.0.0',
  api: '^1.0',
  summary: 'API keys with which programs act for their owner',
  requires: ['users'],
  config: ApiKeysSettings,
  services: [
    service({
      token: API_KEYS,
      deps: {
        database: DATABASE,
        invalidation: INVALIDATION,
        clock: CLOCK,
        signedIn: SIGNED_IN,
        settings: ApiKeysSettings.token,
      },
      create: (deps) => new ApiKeys(deps),
    }),
    service({ token: KEY_OWNERS, deps: { keys: API_KEYS }, create: ({ keys }) => keys }),
    service({
      token: LAST_USES,
      deps: { database: DATABASE, clock: CLOCK, logger: LOGGER },
      create: (deps) => new LastUses(deps),
    }),
  ],
  contributes: [
    contribute(CREDENTIAL_VERIFIERS, {
      deps: {
        database: DATABASE,
        invalidation: INVALIDATION,
        accounts: ACCOUNTS,
        lastUses: LAST_USES,
        clock: CLOCK,
      },
      create: (deps) => new KeyVerifier(deps),
    }),
    contribute(STANDING_CREDENTIALS, { deps: { keys: API_KEYS }, create: ({ keys }) => keys }),
  ],
  routes,
  migrations,
  jobs: [
    job({
      name: 'ended-keys',
      summary: 'Deletes keys for good that were revoked or have expired long enough ago',
      every: '24h',
      deps: { keys: API_KEYS },
      run: (_, { keys }) => keys.deleteEnded(),
    }),
  ],
  problems: apiKeysProblems,
  start: step({ lastUses: LAST_USES }, ({ lastUses }) => lastUses.start()),
  stop: step({ lastUses: LAST_USES }, ({ lastUses }) => lastUses.stop()),
});
