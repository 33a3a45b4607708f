import {
  AUDIT,
  CLOCK,
  contribute,
  CREDENTIAL_VERIFIERS,
  DATABASE,
  definePlugin,
  EVENTS,
  INVALIDATION,
  job,
  optional,
  service,
} from '../../core/index.ts';
import { CATALOGUE } from '../catalogue/contract.ts';
import {
  ACCOUNT_BELONGINGS,
  ACCOUNTS,
  CREDENTIAL_USES,
  SIGNED_IN,
  STANDING_CREDENTIALS,
} from '../users/contract.ts';
import { API_KEYS, ApiKeys } from './api-keys.ts';
import { ApiKeysSettings } from './config.ts';
import { KEY_OWNERS, keyExpiresSoon } from './contract.ts';
import { endingKeys } from './doctor.ts';
import { warnOfExpiry } from './expiry-warnings.ts';
import { KEY_CHANGES, KeyChanges } from './key-changes.ts';
import { StoredKeys } from './key-owners.ts';
import { KEY_RULES, KeyRules } from './key-rules.ts';
import { KeyVerifier } from './key-verifier.ts';
import { migrations } from './migrations.ts';
import { apiKeysProblems } from './problems.ts';
import { routes } from './routes.ts';

const keyDeps = {
  database: DATABASE,
  invalidation: INVALIDATION,
  clock: CLOCK,
  signedIn: SIGNED_IN,
  uses: CREDENTIAL_USES,
  rules: KEY_RULES,
  settings: ApiKeysSettings.token,
  audit: AUDIT,
};

export default definePlugin({
  id: 'api-keys',
  version: '1.0.0',
  api: '^1.0',
  summary: 'API keys with which programs act for their owner',
  requires: ['users'],
  optional: ['catalogue'],
  config: ApiKeysSettings,
  services: [
    service({
      token: API_KEYS,
      deps: keyDeps,
      create: (deps) => new ApiKeys(deps),
    }),
    service({ token: KEY_CHANGES, deps: keyDeps, create: (deps) => new KeyChanges(deps) }),
    service({
      token: KEY_RULES,
      deps: { clock: CLOCK, settings: ApiKeysSettings.token, catalogue: optional(CATALOGUE) },
      create: (deps) => new KeyRules(deps),
    }),
    service({
      token: KEY_OWNERS,
      deps: { database: DATABASE, accounts: ACCOUNTS, clock: CLOCK },
      create: (deps) => new StoredKeys(deps),
    }),
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
    job({
      name: 'expiry-warnings',
      summary: 'Announces keys that expire soon',
      every: '1h',
      deps: { database: DATABASE, clock: CLOCK, events: EVENTS, settings: ApiKeysSettings.token },
      run: (_, deps) => warnOfExpiry(deps),
    }),
  ],
  events: { emits: [keyExpiresSoon] },
  problems: apiKeysProblems,
  doctor: [endingKeys],
});
