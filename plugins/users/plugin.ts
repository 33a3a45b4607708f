import {
  contribute,
  CREDENTIAL_VERIFIERS,
  definePlugin,
  job,
  START_NOTES,
  step,
  TOKEN_ISSUER,
  withDeadline,
} from '../../core/index.ts';
import { administrationRoutes } from './administration-routes.ts';
import { commands } from './commands/commands.ts';
import { UsersSettings } from './config.ts';
import {
  ACCOUNT_BELONGINGS,
  STANDING_CREDENTIALS,
  userDeleted,
  userDisabled,
  userRegistered,
} from './contract.ts';
import { KEPT_USES } from './credential-uses.ts';
import { ACCOUNT_DELETION } from './deletion/account-deletion.ts';
import { administrators, mailServer, passwordHashing } from './doctor.ts';
import { FIRST_ADMIN } from './first-admin.ts';
import { KNOWN_ADDRESSES } from './known-addresses.ts';
import { PASSWORD_RESETS } from './links/password-resets.ts';
import { ONE_TIME_LINKS } from './links/one-time-links.ts';
import { failedLogins } from './metrics.ts';
import { migrations } from './migrations.ts';
import { usersProblems } from './problems.ts';
import { REVOKED_TOKENS } from './revoked-tokens.ts';
import { routes } from './routes.ts';
import { services } from './services.ts';
import { SessionVerifier } from './session-verifier.ts';
import { SESSIONS } from './sessions.ts';
import { TOKEN_KEY } from './token-key.ts';
import { TOKEN_VERIFIER } from './token-verifier.ts';

/** How long a stop waits for mails that were asked for. */
const MAILS_MS = 5_000;

export default definePlugin({
  id: 'users',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Accounts: registration, sign-in with bearer tokens and sessions, administration',
  config: UsersSettings,
  services,
  opens: [STANDING_CREDENTIALS, ACCOUNT_BELONGINGS],
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
  routes: [...routes, ...administrationRoutes],
  migrations,
  commands,
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
    job({
      name: 'old-links',
      summary: 'Deletes one-time links that expired a week ago',
      every: '24h',
      deps: { links: ONE_TIME_LINKS },
      run: (_, { links }) => links.deleteOld(),
    }),
    job({
      name: 'deleted-records',
      summary: 'Deletes the records of deleted accounts where that was asked for',
      every: '5m',
      // An account may have made millions of calls.
      deadline: '1d',
      deps: { deletion: ACCOUNT_DELETION },
      run: ({ signal }, { deletion }) => deletion.deleteRecords(signal),
    }),
  ],
  problems: usersProblems,
  metrics: [failedLogins],
  doctor: [passwordHashing, administrators, mailServer],
  events: { emits: [userRegistered, userDisabled, userDeleted] },
  start: step(
    { firstAdmin: FIRST_ADMIN, key: TOKEN_KEY, uses: KEPT_USES },
    async ({ firstAdmin, key, uses }) => {
      await firstAdmin.ensure();
      await key.compare();
      uses.start();
    },
  ),
  stop: step({ uses: KEPT_USES, resets: PASSWORD_RESETS }, async ({ uses, resets }) => {
    await uses.stop();
    await withDeadline(MAILS_MS, resets.settled(), () => undefined);
  }),
});
