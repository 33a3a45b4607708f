import {
  API_DESCRIPTION,
  AUDIT,
  CLOCK,
  DATABASE,
  EVENTS,
  INVALIDATION,
  LOGGER,
  METRICS,
  service,
  TOKEN_ISSUER,
  VAULT,
} from '../../core/index.ts';
import { ACCOUNT_CACHE, AccountCache } from './account-cache.ts';
import { createAccounts } from './accounts.ts';
import { ACCOUNT_TRAIL, AccountTrail } from './account-trail.ts';
import { ADMINISTRATION, Administration } from './administration.ts';
import { UsersSettings } from './config.ts';
import {
  ACCOUNT_BELONGINGS,
  ACCOUNTS,
  CREDENTIAL_USES,
  SIGNED_IN,
  STANDING_CREDENTIALS,
  VOUCHING,
} from './contract.ts';
import { KEPT_USES, KeptUses } from './credential-uses.ts';
import { ACCOUNT_DELETION, AccountDeletion } from './deletion/account-deletion.ts';
import { FIRST_ADMIN, FirstAdmin } from './first-admin.ts';
import { KNOWN_ADDRESSES, KnownAddresses } from './known-addresses.ts';
import { ACCOUNT_LINKS, AccountLinks } from './links/account-links.ts';
import { PASSWORD_RESETS, PasswordResets } from './links/password-resets.ts';
import { ONE_TIME_LINKS, OneTimeLinks } from './links/one-time-links.ts';
import { LOGIN_THROTTLE, LoginThrottle } from './login-throttle.ts';
import { createMailer, MAILER } from './mail/mailer.ts';
import { OWN_ACCOUNT, OwnAccount } from './own-account.ts';
import { failedLogins, loginFailures } from './metrics.ts';
import { createPasswords, PASSWORDS } from './passwords.ts';
import { REGISTRATION, Registration } from './registration.ts';
import { REVOKED_TOKENS, RevokedTokens } from './revoked-tokens.ts';
import { SESSIONS, Sessions } from './sessions.ts';
import { SIGN_IN, SignIn } from './sign-in.ts';
import { signedIn } from './signed-in.ts';
import { TOKEN_KEY, TokenKey } from './token-key.ts';
import { TOKEN_VERIFIER, TokenVerifier } from './token-verifier.ts';
import { createVouching } from './vouching.ts';

const settings = UsersSettings.token;

export const services = [
  service({
    token: ACCOUNT_TRAIL,
    deps: { audit: AUDIT, logger: LOGGER },
    create: (deps) => new AccountTrail(deps),
  }),
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
  service({
    token: VOUCHING,
    deps: { signIn: SIGN_IN, administration: ADMINISTRATION },
    create: createVouching,
  }),
  service({ token: SIGNED_IN, deps: {}, create: () => signedIn }),
  service({
    token: REVOKED_TOKENS,
    deps: { database: DATABASE, invalidation: INVALIDATION, uses: CREDENTIAL_USES, clock: CLOCK },
    create: (deps) => new RevokedTokens(deps),
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
      trail: ACCOUNT_TRAIL,
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
      return new LoginThrottle(clock, limits, undefined, (reason) => failures.inc({ reason }));
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
      trail: ACCOUNT_TRAIL,
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
      links: ONE_TIME_LINKS,
      standing: STANDING_CREDENTIALS,
      invalidation: INVALIDATION,
      clock: CLOCK,
      trail: ACCOUNT_TRAIL,
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
      links: ONE_TIME_LINKS,
      standing: STANDING_CREDENTIALS,
      trail: ACCOUNT_TRAIL,
    },
    create: (deps) => new Administration(deps),
  }),
  service({
    token: FIRST_ADMIN,
    deps: { settings, registration: REGISTRATION, administration: ADMINISTRATION, logger: LOGGER },
    create: (deps) => new FirstAdmin(deps),
  }),
  service({
    token: ONE_TIME_LINKS,
    deps: { database: DATABASE, clock: CLOCK },
    create: (deps) => new OneTimeLinks(deps),
  }),
  service({ token: MAILER, deps: { settings }, create: ({ settings: mail }) => createMailer(mail) }),
  service({
    token: ACCOUNT_LINKS,
    deps: {
      database: DATABASE,
      registration: REGISTRATION,
      links: ONE_TIME_LINKS,
      mailer: MAILER,
      api: API_DESCRIPTION,
      settings,
      logger: LOGGER,
      trail: ACCOUNT_TRAIL,
    },
    create: (deps) => new AccountLinks(deps),
  }),
  service({
    token: PASSWORD_RESETS,
    deps: {
      database: DATABASE,
      passwords: PASSWORDS,
      links: ONE_TIME_LINKS,
      accountLinks: ACCOUNT_LINKS,
      mailer: MAILER,
      throttle: LOGIN_THROTTLE,
      known: KNOWN_ADDRESSES,
      standing: STANDING_CREDENTIALS,
      invalidation: INVALIDATION,
      clock: CLOCK,
      logger: LOGGER,
      trail: ACCOUNT_TRAIL,
      api: API_DESCRIPTION,
    },
    create: ({ api: { publicUrl }, ...deps }) => new PasswordResets({ ...deps, publicUrl }),
  }),
  service({
    token: OWN_ACCOUNT,
    deps: {
      database: DATABASE,
      signIn: SIGN_IN,
      signedIn: SIGNED_IN,
      links: ONE_TIME_LINKS,
      invalidation: INVALIDATION,
      clock: CLOCK,
      trail: ACCOUNT_TRAIL,
    },
    create: (deps) => new OwnAccount(deps),
  }),
  service({
    token: ACCOUNT_DELETION,
    deps: {
      database: DATABASE,
      signIn: SIGN_IN,
      signedIn: SIGNED_IN,
      links: ONE_TIME_LINKS,
      uses: CREDENTIAL_USES,
      standing: STANDING_CREDENTIALS,
      belongings: ACCOUNT_BELONGINGS,
      invalidation: INVALIDATION,
      events: EVENTS,
      clock: CLOCK,
      trail: ACCOUNT_TRAIL,
    },
    create: (deps) => new AccountDeletion(deps),
  }),
];
