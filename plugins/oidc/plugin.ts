import {
  AUDIT,
  BACKENDS,
  CLOCK,
  contribute,
  CREDENTIAL_VERIFIERS,
  DATABASE,
  definePlugin,
  INVALIDATION,
  job,
  LOGGER,
  optional,
  service,
  VAULT,
} from '../../core/index.ts';
import { GROUPS } from '../groups/contract.ts';
import { ACCOUNT_BELONGINGS, ACCOUNTS, CREDENTIAL_USES, VOUCHING } from '../users/contract.ts';
import { ACCOUNT_FINDER, AccountFinder } from './accounts/account-finder.ts';
import { LINKS, Links } from './accounts/links.ts';
import { RIGHTS, Rights } from './accounts/rights.ts';
import { OidcSettings } from './config.ts';
import { providersCheck } from './doctor.ts';
import { providersHealth } from './health.ts';
import { MachineTokens } from './machine-tokens.ts';
import { migrations } from './migrations.ts';
import { oidcProblems } from './problems.ts';
import { PROVIDERS, Providers } from './provider/provider-list.ts';
import { routes } from './routes.ts';
import { FLOWS, Flows } from './sign-in/flows.ts';
import { PROVIDER_SESSIONS, ProviderSessions } from './sign-in/provider-sessions.ts';
import { SIGN_INS, SignIns } from './sign-in/sign-ins.ts';

export default definePlugin({
  id: 'oidc',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Single sign-on by OpenID providers, for people and machines',
  requires: ['users'],
  optional: ['groups'],
  config: OidcSettings,
  services: [
    service({
      token: PROVIDERS,
      deps: { settings: OidcSettings.token, backends: BACKENDS, clock: CLOCK },
      create: (deps) => new Providers(deps),
    }),
    service({
      token: FLOWS,
      deps: { vault: VAULT, clock: CLOCK },
      create: ({ vault, clock }) => new Flows(vault, clock),
    }),
    service({
      token: LINKS,
      deps: {
        database: DATABASE,
        invalidation: INVALIDATION,
        accounts: ACCOUNTS,
        vouching: VOUCHING,
        uses: CREDENTIAL_USES,
        audit: AUDIT,
        clock: CLOCK,
      },
      create: (deps) => new Links(deps),
    }),
    service({
      token: RIGHTS,
      deps: {
        accounts: ACCOUNTS,
        vouching: VOUCHING,
        links: LINKS,
        groups: optional(GROUPS),
        logger: LOGGER,
      },
      create: (deps) => new Rights(deps),
    }),
    service({
      token: ACCOUNT_FINDER,
      deps: { database: DATABASE, accounts: ACCOUNTS, links: LINKS },
      create: (deps) => new AccountFinder(deps),
    }),
    service({
      token: PROVIDER_SESSIONS,
      deps: {
        database: DATABASE,
        vouching: VOUCHING,
        providers: PROVIDERS,
        vault: VAULT,
        clock: CLOCK,
        logger: LOGGER,
      },
      create: (deps) => new ProviderSessions(deps),
    }),
    service({
      token: SIGN_INS,
      deps: {
        providers: PROVIDERS,
        flows: FLOWS,
        finder: ACCOUNT_FINDER,
        rights: RIGHTS,
        sessions: PROVIDER_SESSIONS,
        uses: CREDENTIAL_USES,
        audit: AUDIT,
        logger: LOGGER,
      },
      create: (deps) => new SignIns(deps),
    }),
  ],
  contributes: [
    contribute(CREDENTIAL_VERIFIERS, {
      // Before that of `users`, which takes every JWT for one of this service.
      order: -10,
      deps: {
        providers: PROVIDERS,
        finder: ACCOUNT_FINDER,
        links: LINKS,
        accounts: ACCOUNTS,
        uses: CREDENTIAL_USES,
        clock: CLOCK,
      },
      create: (deps) => new MachineTokens(deps),
    }),
    contribute(ACCOUNT_BELONGINGS, { deps: { links: LINKS }, create: ({ links }) => links }),
  ],
  routes,
  migrations,
  jobs: [
    job({
      name: 'expired-sessions',
      summary: 'Forgets sessions of providers that have expired',
      every: '1h',
      deps: { sessions: PROVIDER_SESSIONS },
      run: (_, { sessions }) => sessions.deleteEnded(),
    }),
  ],
  problems: oidcProblems,
  health: [providersHealth],
  doctor: [providersCheck],
});
