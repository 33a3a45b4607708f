import {
  CLOCK,
  contribute,
  DATABASE,
  definePlugin,
  INVALIDATION,
  job,
  listen,
  optional,
} from '../../core/index.ts';
import { ACCESS_POLICIES, algorithmDeleted, PORTABLE_SECTIONS } from '../catalogue/contract.ts';
import { groupDeleted, GROUPS } from '../groups/contract.ts';
import { ACCOUNT_BELONGINGS, ACCOUNTS } from '../users/contract.ts';
import { GrantPolicy } from './grant-policy.ts';
import { GrantsSection } from './grants-section.ts';
import { GRANTEES } from './grantees.ts';
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
  optional: ['groups'],
  services,
  routes,
  migrations,
  contributes: [
    contribute(ACCESS_POLICIES, {
      deps: { database: DATABASE, invalidation: INVALIDATION, clock: CLOCK, grantees: GRANTEES },
      create: (deps) => new GrantPolicy(deps),
    }),
    contribute(ACCOUNT_BELONGINGS, { deps: { grants: GRANTS }, create: ({ grants }) => grants }),
    contribute(PORTABLE_SECTIONS, {
      deps: { grants: GRANTS, accounts: ACCOUNTS, groups: optional(GROUPS), clock: CLOCK },
      create: (deps) => new GrantsSection(deps),
    }),
  ],
  events: {
    listens: [
      listen(algorithmDeleted, {
        deps: { grants: GRANTS },
        handle: ({ algorithm_id }, { grants }) => grants.removeOfAlgorithm(algorithm_id),
      }),
      listen(groupDeleted, {
        deps: { grants: GRANTS },
        handle: ({ group_id }, { grants }) => grants.removeOfGroup(group_id),
      }),
    ],
  },
  jobs: [
    job({
      name: 'expired-grants',
      summary: 'Deletes grants that have expired',
      every: '1h',
      deps: { grants: GRANTS },
      run: (_, { grants }) => grants.deleteExpired(),
    }),
  ],
  problems: [GrantNotFound, GrantExists, GranteeNotFound],
});
