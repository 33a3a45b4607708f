import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { CLOCK, DATABASE, INVALIDATION, TOKEN_ISSUER, type UserPrincipal } from '../../../core/index.ts';
import { systemClock } from '../../../core/support/clock.ts';
import { onEveryEngine, type TestResponse } from '../../../core/testing.ts';
import { ACCOUNT_TRAIL } from '../../../plugins/users/account-trail.ts';
import { ADMINISTRATION } from '../../../plugins/users/administration.ts';
import { KNOWN_ADDRESSES } from '../../../plugins/users/known-addresses.ts';
import { ONE_TIME_LINKS } from '../../../plugins/users/links/one-time-links.ts';
import { LOGIN_THROTTLE } from '../../../plugins/users/login-throttle.ts';
import { PASSWORDS } from '../../../plugins/users/passwords.ts';
import { REVOKED_TOKENS } from '../../../plugins/users/revoked-tokens.ts';
import { SESSIONS } from '../../../plugins/users/sessions.ts';
import { SignIn } from '../../../plugins/users/sign-in.ts';
import { PASSWORD, startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';
import { manualClock } from './manual-clock.ts';

const BY = { kind: 'command', name: 'test' } as const;

const NEW_PASSWORD = 'new password';
const OTHER_PASSWORD = 'other password';
const address = '127.0.0.1';
const HOUR = 3_600_000;

onEveryEngine((engine) => {
  describe('the end of all tokens of an account', () => {
    let vitrine: Vitrine;
    let users = 0;
    let ada: SignedIn;

    before(async () => {
      // Only ids follow the wall clock here: what expires when is not the matter.
      vitrine = await startVitrine(engine, { plugins: ['users'], clock: manualClock() });
    });

    after(() => vitrine.stop());

    beforeEach(async () => {
      ada = await vitrine.user(`ada${users++}`);
    });

    async function worksWith(token: string): Promise<boolean> {
      return (await vitrine.request('GET', '/users/me', { token })).status === 200;
    }

    function login(password: string): Promise<TestResponse> {
      return vitrine.request('POST', '/users/login', { body: { username: ada.username, password } });
    }

    async function changed(token: string, old_password: string, new_password: string): Promise<string> {
      const body = { old_password, new_password };
      const answer = await vitrine.request('POST', '/users/me/password', { token, body });
      expect(answer.status).to.equal(200);
      return answer.body.access_token as string;
    }

    async function disable(): Promise<void> {
      await vitrine.get(ADMINISTRATION).change(ada.id, { status: 'disabled' }, BY);
    }

    async function enable(): Promise<void> {
      await vitrine.get(ADMINISTRATION).change(ada.id, { status: 'active' }, BY);
    }

    interface Meanwhile {
      /** Before the account is looked up. */
      readonly admitted?: () => Promise<unknown>;
      /** When the password was checked. */
      readonly checked?: () => Promise<unknown>;
      /** When a new password was written and is not committed yet. */
      readonly written?: () => Promise<unknown>;
    }

    /** A sign-in while something else happens. */
    function signInAmid({ admitted, checked, written }: Meanwhile): SignIn {
      const database = vitrine.get(DATABASE);
      const passwords = vitrine.get(PASSWORDS);
      return new SignIn({
        database: {
          engine,
          knex: database.knex,
          read: (sql) => database.read(sql),
          write: (batch) => database.write(batch),
          ping: () => database.ping(),
          size: () => database.size(),
          transaction: (work) =>
            database.transaction(async (trx) => {
              const result = await work(trx);
              await written?.();
              return result;
            }),
        },
        throttle: vitrine.get(LOGIN_THROTTLE),
        known: vitrine.get(KNOWN_ADDRESSES),
        issuer: vitrine.get(TOKEN_ISSUER),
        revoked: vitrine.get(REVOKED_TOKENS),
        sessions: vitrine.get(SESSIONS),
        links: vitrine.get(ONE_TIME_LINKS),
        trail: vitrine.get(ACCOUNT_TRAIL),
        standing: [],
        invalidation: vitrine.get(INVALIDATION),
        clock: vitrine.get(CLOCK),
        passwords: {
          hash: (password) => passwords.hash(password),
          matches: async (password, stored) => {
            await admitted?.();
            const isOwn = await passwords.matches(password, stored);
            await checked?.();
            return isOwn;
          },
        },
      });
    }

    function principal(): UserPrincipal {
      const credentialId = vitrine.get(TOKEN_ISSUER).verify(ada.token).jti;
      return {
        kind: 'user',
        userId: ada.id,
        username: ada.username,
        role: 'user',
        via: 'token',
        credentialId,
      };
    }

    describe('while a sign-in is under way', () => {
      async function loginAmid(checked: () => Promise<unknown>): Promise<string> {
        const credentials = { username: ada.username, password: PASSWORD, address };
        return (await signInAmid({ checked }).login(credentials)).access_token;
      }

      /** The code of the problem with a change of the password. */
      async function problemAmid(checked: () => Promise<unknown>): Promise<string | undefined> {
        const change = { old_password: PASSWORD, new_password: OTHER_PASSWORD };
        return signInAmid({ checked })
          .changePassword(principal(), change, { address })
          .then(
            () => undefined,
            (error: { code: string }) => error.code,
          );
      }

      it('includes the token of a login with the old password that overlaps its change', async () => {
        const token = await loginAmid(() => changed(ada.token, PASSWORD, NEW_PASSWORD));
        expect(await worksWith(token)).to.equal(false);
      });

      it('includes the token of a login that overlaps the disabling of the account, also once enabled again', async () => {
        const token = await loginAmid(disable);
        await enable();
        expect(await worksWith(token)).to.equal(false);
      });

      // On SQLite a login waits for the change.
      if (engine === 'postgres') {
        it('includes the token of a login that finds the account before the change is committed', async () => {
          let token = '';
          const written = async () => {
            token = (await login(PASSWORD)).body.access_token as string;
          };
          const change = { old_password: PASSWORD, new_password: NEW_PASSWORD };
          await signInAmid({ written }).changePassword(principal(), change, { address });
          expect([token.length > 0, await worksWith(token)]).to.deep.equal([true, false]);
        });
      }

      it('does not include the token of a login that finds the account as it is afterwards', async () => {
        const signIn = signInAmid({ admitted: () => changed(ada.token, PASSWORD, NEW_PASSWORD) });
        const { access_token } = await signIn.login({
          username: ada.username,
          password: NEW_PASSWORD,
          address,
        });
        expect(await worksWith(access_token)).to.equal(true);
      });

      it('lets a change of the password fail when another one with the same old password was first', async () => {
        const code = await problemAmid(() => changed(ada.token, PASSWORD, NEW_PASSWORD));
        const logins = await Promise.all([login(NEW_PASSWORD), login(OTHER_PASSWORD)]);
        expect([code, ...logins.map(({ status }) => status)]).to.deep.equal(['wrong_password', 200, 401]);
      });

      it('lets one of several changes with the same old password succeed', async () => {
        const signIn = signInAmid({});
        const results = await Promise.allSettled(
          ['first', 'second', 'third'].map((word) =>
            signIn.changePassword(
              principal(),
              { old_password: PASSWORD, new_password: `${word} password` },
              { address },
            ),
          ),
        );
        expect(results.filter(({ status }) => status === 'fulfilled').length).to.equal(1);
      });

      it('lets a change of the password fail when the account is disabled meanwhile', async () => {
        const code = await problemAmid(disable);
        await enable();
        expect([code, (await login(PASSWORD)).status]).to.deep.equal(['wrong_password', 200]);
      });
    });

    describe('and a clock that is set back', () => {
      const { now } = systemClock;

      afterEach(() => {
        systemClock.now = now;
      });

      async function anHourAhead<T>(work: () => Promise<T>): Promise<T> {
        systemClock.now = () => now() + HOUR;
        const result = await work();
        systemClock.now = now;
        return result;
      }

      it('after the password was changed: tokens of later logins work', async () => {
        await anHourAhead(() => changed(ada.token, PASSWORD, NEW_PASSWORD));
        const { body } = await login(NEW_PASSWORD);
        expect(await worksWith(body.access_token)).to.equal(true);
      });

      it('after the account was disabled: tokens of later logins work', async () => {
        await anHourAhead(disable);
        await enable();
        const { body } = await login(PASSWORD);
        expect([await worksWith(body.access_token), await worksWith(ada.token)]).to.deep.equal([true, false]);
      });

      it('after a token was given out: it ends all the same', async () => {
        const { body } = await anHourAhead(() => login(PASSWORD));
        const token = await changed(ada.token, PASSWORD, NEW_PASSWORD);
        expect([await worksWith(body.access_token), await worksWith(token)]).to.deep.equal([false, true]);
      });

      // On SQLite a change waits for the other one.
      if (engine === 'postgres') {
        it('while the account is disabled: it ends the token of a password change that was not committed yet', async () => {
          let disabled: Promise<void> | undefined;
          const written = async () => {
            systemClock.now = now;
            disabled = disable();
            await sleep(100);
          };
          const change = { old_password: PASSWORD, new_password: NEW_PASSWORD };
          const { access_token } = await anHourAhead(() =>
            signInAmid({ written }).changePassword(principal(), change, { address }),
          );
          await disabled;
          await enable();
          expect(await worksWith(access_token)).to.equal(false);
        });
      }

      it('after tokens ended: they end again with the next change, and none comes back', async () => {
        const ahead = await anHourAhead(() => changed(ada.token, PASSWORD, NEW_PASSWORD));
        const later = (await login(NEW_PASSWORD)).body.access_token as string;
        const last = await changed(later, NEW_PASSWORD, OTHER_PASSWORD);
        const work = await Promise.all([ada.token, ahead, later, last].map(worksWith));
        expect(work).to.deep.equal([false, false, false, true]);
      });
    });
  });
});
