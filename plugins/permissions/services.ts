import { AUDIT, CLOCK, DATABASE, optional, service, INVALIDATION } from '../../core/index.ts';
import { ALGORITHM_RIGHTS, CATALOGUE } from '../catalogue/contract.ts';
import { GROUPS } from '../groups/contract.ts';
import { ACCOUNTS } from '../users/contract.ts';
import { GRANT_SERVICE, GrantService } from './grant-service.ts';
import { GRANTEES, Grantees } from './grantees.ts';
import { GRANTS, Grants } from './grants.ts';

export const services = [
  service({
    token: GRANTEES,
    deps: { accounts: ACCOUNTS, groups: optional(GROUPS) },
    create: (deps) => new Grantees(deps),
  }),
  service({
    token: GRANTS,
    deps: {
      database: DATABASE,
      invalidation: INVALIDATION,
      clock: CLOCK,
      grantees: GRANTEES,
      catalogue: CATALOGUE,
      audit: AUDIT,
    },
    create: (deps) => new Grants(deps),
  }),
  service({
    token: GRANT_SERVICE,
    deps: { grants: GRANTS, grantees: GRANTEES, catalogue: CATALOGUE, rights: ALGORITHM_RIGHTS },
    create: (deps) => new GrantService(deps),
  }),
];
