import { AUDIT, CLOCK, DATABASE, service, INVALIDATION } from '../../core/index.ts';
import { ALGORITHM_RIGHTS, CATALOGUE } from '../catalogue/contract.ts';
import { ACCOUNTS } from '../users/contract.ts';
import { GRANT_DESK, GrantDesk } from './grant-desk.ts';
import { GRANTS, Grants } from './grants.ts';

export const services = [
  service({
    token: GRANTS,
    deps: {
      database: DATABASE,
      invalidation: INVALIDATION,
      clock: CLOCK,
      accounts: ACCOUNTS,
      catalogue: CATALOGUE,
      audit: AUDIT,
    },
    create: (deps) => new Grants(deps),
  }),
  service({
    token: GRANT_DESK,
    deps: { grants: GRANTS, catalogue: CATALOGUE, rights: ALGORITHM_RIGHTS },
    create: (deps) => new GrantDesk(deps),
  }),
];
