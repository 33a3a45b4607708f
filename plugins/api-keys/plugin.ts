import {
  AUDIT,
  CLOCK,
  contribute,
  CREDENTIAL_VERIFIERS,
  DATABASE,
  definePlugin,
  job,
  service,
  INVALIDATION,
} from '../../core/index.ts';
import {
  ACCOUNT_BELONGINGS,
  ACCOUNTS,
  CREDENTIAL_USES,
  SIGNED_IN,
  STANDING_CREDENTIALS,
} from '../users/contract.ts';
import { API_KEYS, ApiKeys } from './api-keys.ts';
import { ApiKeysSettings } from './config.ts';
import { KEY_OWNERS } from './contract.ts';
import { endingKeys } from './doctor.ts';
import { KeyVerifier } from './key-verifier.ts';
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
        uses: CREDENTIAL_USES,
        settings: ApiKeysSettings.token,
        audit: AUDIT,
      },
      create: (deps) => new ApiKeys(deps),
    }),
    service({ token: KEY_OWNERS, deps: { keys: API_KEYS }, create: ({ keys }) => keys }),
  ],
  contributes: [
    contribute(CREDENTIAL_VERIFIERS, {
      deps: {
        database: DATABASE,
        invalidation: INVALIDATION,
        accounts: ACCOUNTS,
        uses: CREDENTIAL_USES,
        clock: CLOCK,
      },
      create: (deps) => new KeyVerifier(deps),
    }),
    contribute(STANDING_CREDENTIALS, { deps: { keys: API_KEYS }, create: ({ keys }) => keys }),
    contribute(ACCOUNT_BELONGINGS, { deps: { keys: API_KEYS }, create: ({ keys }) => keys }),
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
  doctor: [endingKeys],
});
