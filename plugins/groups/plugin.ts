import {
  AUDIT,
  CLOCK,
  contribute,
  DATABASE,
  definePlugin,
  EVENTS,
  INVALIDATION,
  service,
} from '../../core/index.ts';
import { ACCOUNT_BELONGINGS, ACCOUNTS } from '../users/contract.ts';
import { groupDeleted, GROUPS } from './contract.ts';
import { GROUP_SERVICE, GroupService } from './groups.ts';
import { MEMBERSHIP, Membership } from './membership.ts';
import { migrations } from './migrations.ts';
import { GroupNameTaken, GroupNotFound, MemberNotFound } from './problems.ts';
import { routes } from './routes.ts';

export default definePlugin({
  id: 'groups',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Groups of accounts, which can be granted rights together',
  requires: ['users'],
  services: [
    service({
      token: MEMBERSHIP,
      deps: { database: DATABASE, invalidation: INVALIDATION, clock: CLOCK, accounts: ACCOUNTS },
      create: (deps) => new Membership(deps),
    }),
    service({ token: GROUPS, deps: { membership: MEMBERSHIP }, create: ({ membership }) => membership }),
    service({
      token: GROUP_SERVICE,
      deps: {
        database: DATABASE,
        clock: CLOCK,
        events: EVENTS,
        accounts: ACCOUNTS,
        membership: MEMBERSHIP,
        audit: AUDIT,
      },
      create: (deps) => new GroupService(deps),
    }),
  ],
  contributes: [
    contribute(ACCOUNT_BELONGINGS, {
      deps: { membership: MEMBERSHIP },
      create: ({ membership }) => membership,
    }),
  ],
  routes,
  migrations,
  events: { emits: [groupDeleted] },
  problems: [GroupNotFound, GroupNameTaken, MemberNotFound],
});
