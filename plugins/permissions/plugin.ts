import { contribute, DATABASE, definePlugin, listen, INVALIDATION } from '../../core/index.ts';
import { ACCESS_POLICIES, algorithmDeleted, PORTABLE_SECTIONS } from '../catalogue/contract.ts';
import { ACCOUNT_BELONGINGS, ACCOUNTS } from '../users/contract.ts';
import { GrantPolicy } from './grant-policy.ts';
import { GrantsSection } from './grants-section.ts';
import { GRANTS } from './grants.ts';
import { migrations } from './migrations.ts';
import { GranteeNotFound, GrantExists, GrantNotFound } from './problems.ts';
import { routes } from './routes.ts';
import { services } from './services.ts';

export default definePlugin({
  id: 'permissions',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Grants accounts rights on single algorithms, and answers who may do what',
  requires: ['catalogue', 'users'],
  services,
  routes,
  migrations,
  contributes: [
    contribute(ACCESS_POLICIES, {
      deps: { database: DATABASE, invalidation: INVALIDATION },
      create: (deps) => new GrantPolicy(deps),
    }),
    contribute(ACCOUNT_BELONGINGS, { deps: { grants: GRANTS }, create: ({ grants }) => grants }),
    contribute(PORTABLE_SECTIONS, {
      deps: { grants: GRANTS, accounts: ACCOUNTS },
      create: (deps) => new GrantsSection(deps),
    }),
  ],
  events: {
    listens: [
      listen(algorithmDeleted, {
        deps: { grants: GRANTS },
        handle: ({ algorithm_id }, { grants }) => grants.removeOfAlgorithm(algorithm_id),
      }),
    ],
  },
  problems: [GrantNotFound, GrantExists, GranteeNotFound],
});
