import {
  CLOCK,
  contribute,
  CREDENTIAL_VERIFIERS,
  DATABASE,
  definePlugin,
  EVENTS,
  job,
  LOGGER,
  METRICS,
  service,
  INVALIDATION,
  START_NOTES,
  step,
  TOKEN_ISSUER,
  VAULT,
} from '../../core/index.ts';
import { ACCOUNT_CACHE, AccountCache } from './account-cache.ts';
import { createAccounts } from './accounts.ts';
import { ADMINISTRATION, Administration } from './administration.ts';
import { createAdmin } from './commands.ts';
import { UsersSettings } from './config.ts';
import {
  ACCOUNTS,
  CREDENTIAL_USES,
  SIGNED_IN,
  STANDING_CREDENTIALS,
  userDisabled,
  userRegistered,
} from './contract.ts';
import { KEPT_USES, KeptUses } from './credential-uses.ts';
import { administrators, passwordHashing } from './doctor.ts';
import { FIRST_ADMIN, FirstAdmin } from './first-admin.ts';
import { KNOWN_ADDRESSES, KnownAddresses } from './known-addresses.ts';
import { LOGIN_THROTTLE, LoginThrottle } from './login-throttle.ts';
import { failedLogins, loginFailures } from './metrics.ts';
import { migrations } from './migrations.ts';
import { createPasswords, PASSWORDS } from './passwords.ts';
import { usersProblems } from './problems.ts';
import { REGISTRATION, Registration } from './registration.ts';
import { REVOKED_TOKENS, RevokedTokens } from './revoked-tokens.ts';
import { routes } from './routes.ts';
import { SessionVerifier } from './session-verifier.ts';
import { SESSIONS, Sessions } from './sessions.ts';
import { SIGN_IN, SignIn } from './sign-in.ts';
import { signedIn } from './signed-in.ts';
import { TOKEN_KEY, TokenKey } from './token-key.ts';
import { TOKEN_VERIFIER, TokenVerifier } from './token-verifier.ts';

const settings = UsersSettings.token;

export default definePlugin({
  id: 'users',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Accounts: registration, sign-in with bearer tokens and sessions, administration',
  config: UsersSettings,
  services: [
    service({
      token: ACCOUNT_CACHE,
      deps: { database: DATABASE, invalidation: INVALIDATION },
      create: ({ database, invalidation }) => new AccountCache(database, invalidation),
    }),
    service({
      token: ACCOUNTS,
      deps: { database: DATABASE, cache: ACCOUNT_CACHE, registration: REGISTRATION },
      create: createAccounts,
    }),
    service({ token: SIGNED_IN, deps: {}, create: () => signedIn }),
    service({
      token: REVOKED_TOKENS,
      deps: { database: DATABASE, invalidation: INVALIDATION, clock: CLOCK },
      create: ({ database, invalidation, clock }) => new RevokedTokens(database, invalidation, clock),
    }),
    service({
      token: TOKEN_VERIFIER,
      deps: {
        issuer: TOKEN_ISSUER,
        accounts: ACCOUNT_CACHE,
        revoked: REVOKED_TOKENS,
        uses: CREDENTIAL_USES,
      },
      create: ({ issuer, accounts, revoked, uses }) => new TokenVerifier(issuer, accounts, revoked, uses),
    }),
    service({
      token: KEPT_USES,
      deps: { database: DATABASE, clock: CLOCK, logger: LOGGER },
      create: (deps) => new KeptUses(deps),
    }),
    service({ token: CREDENTIAL_USES, deps: { uses: KEPT_USES }, create: ({ uses }) => uses }),
    service({
      token: SESSIONS,
      deps: {
        database: DATABASE,
        revoked: REVOKED_TOKENS,
        uses: CREDENTIAL_USES,
        signedIn: SIGNED_IN,
        invalidation: INVALIDATION,
        clock: CLOCK,
      },
      create: (deps) => new Sessions(deps),
    }),
    service({
      token: TOKEN_KEY,
      deps: { database: DATABASE, issuer: TOKEN_ISSUER, logger: LOGGER },
      create: (deps) => new TokenKey(deps),
    }),
    service({ token: PASSWORDS, deps: {}, create: () => createPasswords() }),
    service({
      token: LOGIN_THROTTLE,
      deps: { clock: CLOCK, settings, metrics: METRICS },
      create: ({ clock, settings: limits, metrics }) => {
        const failures = metrics.counter(failedLogins.name);
        // A rate needs a value from before the first failure.
        for (const reason of loginFailures) failures.inc({ reason }, 0);
        return new LoginThrottle(clock, limits, (reason) => failures.inc({ reason }));
      },
    }),
    service({
      token: KNOWN_ADDRESSES,
      deps: { database: DATABASE, vault: VAULT, clock: CLOCK, logger: LOGGER },
      create: (deps) => new KnownAddresses(deps),
    }),
    service({
      token: REGISTRATION,
      deps: {
        database: DATABASE,
        passwords: PASSWORDS,
        clock: CLOCK,
        events: EVENTS,
        settings,
        known: KNOWN_ADDRESSES,
      },
      create: (deps) => new Registration(deps),
    }),
    service({
      token: SIGN_IN,
      deps: {
        database: DATABASE,
        passwords: PASSWORDS,
        throttle: LOGIN_THROTTLE,
        known: KNOWN_ADDRESSES,
        issuer: TOKEN_ISSUER,
        revoked: REVOKED_TOKENS,
        sessions: SESSIONS,
        standing: STANDING_CREDENTIALS,
        invalidation: INVALIDATION,
        clock: CLOCK,
      },
      create: (deps) => new SignIn(deps),
    }),
    service({
      token: ADMINISTRATION,
      deps: {
        database: DATABASE,
        invalidation: INVALIDATION,
        events: EVENTS,
        clock: CLOCK,
        standing: STANDING_CREDENTIALS,
      },
      create: (deps) => new Administration(deps),
    }),
    service({
      token: FIRST_ADMIN,
      deps: { settings, registration: REGISTRATION, administration: ADMINISTRATION, logger: LOGGER },
      create: (deps) => new FirstAdmin(deps),
    }),
  ],
  opens: [STANDING_CREDENTIALS],
  contributes: [
    contribute(CREDENTIAL_VERIFIERS, {
      deps: { tokens: TOKEN_VERIFIER },
      create: ({ tokens }) => tokens,
    }),
    contribute(CREDENTIAL_VERIFIERS, {
      // What a client sends on purpose comes before what its browser sends.
      order: 100,
      deps: { issuer: TOKEN_ISSUER, tokens: TOKEN_VERIFIER },
      create: ({ issuer, tokens }) => new SessionVerifier(issuer, tokens),
    }),
    contribute(START_NOTES, {
      deps: { firstAdmin: FIRST_ADMIN },
      create: ({ firstAdmin }) => ({ text: () => firstAdmin.note() }),
    }),
    contribute(START_NOTES, { deps: { key: TOKEN_KEY }, create: ({ key }) => ({ text: () => key.note() }) }),
  ],
  routes,
  migrations,
  commands: [createAdmin],
  jobs: [
    job({
      name: 'expired-tokens',
      summary: 'Deletes tokens that were ended by signing out and have expired since',
      every: '1h',
      deps: { revoked: REVOKED_TOKENS },
      run: (_, { revoked }) => revoked.deleteExpired(),
    }),
    job({
      name: 'expired-sessions',
      summary: 'Deletes from the lists of sessions those that have expired',
      every: '1h',
      deps: { sessions: SESSIONS },
      run: (_, { sessions }) => sessions.deleteEnded(),
    }),
    job({
      name: 'old-addresses',
      summary: 'Deletes the addresses from which accounts have not signed in for 30 days',
      every: '24h',
      deps: { known: KNOWN_ADDRESSES },
      run: (_, { known }) => known.deleteOld(),
    }),
  ],
  problems: usersProblems,
  metrics: [failedLogins],
  doctor: [passwordHashing, administrators],
  events: { emits: [userRegistered, userDisabled] },
  start: step(
    { firstAdmin: FIRST_ADMIN, key: TOKEN_KEY, uses: KEPT_USES },
    async ({ firstAdmin, key, uses }) => {
      await firstAdmin.ensure();
      await key.compare();
      uses.start();
    },
  ),
  stop: step({ uses: KEPT_USES }, ({ uses }) => uses.stop()),
});
