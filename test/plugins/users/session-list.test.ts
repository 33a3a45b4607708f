import { expect } from 'chai';
import { DATABASE } from '../../../core/index.ts';
import { onEveryEngine, type TestResponse } from '../../../core/testing.ts';
import { ADMINISTRATION } from '../../../plugins/users/administration.ts';
import { KEPT_USES } from '../../../plugins/users/credential-uses.ts';
import { SESSIONS } from '../../../plugins/users/sessions.ts';
import { signIn } from '../../support/accounts.ts';
import { PASSWORD, startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';
import { manualClock, type ManualClock } from './manual-clock.ts';

const BY = { kind: 'command', name: 'test' } as const;

const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };
const HOUR = 3_600_000;

interface Listed {
  readonly id: string;
  readonly via: string;
  readonly current: boolean;
  readonly last_used_at: string | null;
}

onEveryEngine((engine) => {
  describe('the sessions of an account', () => {
    let vitrine: Vitrine;
    let clock: ManualClock;
    let users = 0;
    let ada: SignedIn;

    before(async () => {
      clock = manualClock();
      vitrine = await startVitrine(engine, { plugins: ['users', 'api-keys', 'audit'], clock });
    });
    after(() => vitrine.stop());
    beforeEach(async () => {
      ada = await vitrine.user(`ada${users++}`);
    });

    /** Signs in as a browser does, and answers its cookie. */
    async function browser(userAgent = 'a browser'): Promise<string> {
      const { headers } = await vitrine.request('POST', '/users/session', {
        body: { username: ada.username, password: PASSWORD },
        headers: { 'user-agent': userAgent },
      });
      return headers['set-cookie']!.split(';')[0]!;
    }
    const ask = (method: string, path: string, cookie: string): Promise<TestResponse> =>
      vitrine.request(method, path, { headers: { cookie, ...OWN_PAGE } });
    const list = async (cookie: string): Promise<readonly Listed[]> =>
      (await ask('GET', '/users/me/sessions', cookie)).body.sessions;
    const works = async (cookie: string): Promise<boolean> =>
      (await ask('GET', '/users/me', cookie)).status === 200;
    const tokenWorks = async (): Promise<boolean> =>
      (await vitrine.request('GET', '/users/me', { token: ada.token })).status === 200;

    it('are listed newest first, and say where they were opened and which one asks', async () => {
      clock.advance(1000);
      const cookie = await browser('Mozilla/5.0');
      const [first, second, ...others] = await list(cookie);
      expect(first).to.deep.include({
        via: 'session',
        address: '127.0.0.1',
        user_agent: 'Mozilla/5.0',
        current: true,
        created_at: new Date(clock.now()).toISOString(),
        expires_at: new Date(clock.now() + HOUR).toISOString(),
      });
      expect(second).to.deep.include({ via: 'token', user_agent: null, current: false });
      expect(others).to.deep.equal([]);
    });

    it('say when they were last used, also after the note was written', async () => {
      const cookie = await browser();
      clock.advance(5000);
      const used = new Date(clock.now()).toISOString();
      const lastUse = async () => (await list(cookie)).find(({ current }) => current)!.last_used_at;
      expect(await lastUse()).to.equal(used);
      await vitrine.get(KEPT_USES).flush();
      expect(await lastUse()).to.equal(used);
      expect((await list(cookie)).find(({ via }) => via === 'token')!.last_used_at).to.equal(null);
    });

    it('are listed in pages', async () => {
      const cookie = await browser();
      const { body } = await ask('GET', '/users/me/sessions?limit=1&skip=1', cookie);
      expect([body.sessions.length, body.total]).to.deep.equal([1, 2]);
    });

    it('are not those of others', async () => {
      const [{ id } = { id: '' }] = await list(await browser());
      const eve = await vitrine.user(`eve${users}`);
      const { status, body } = await vitrine.request('DELETE', `/users/me/sessions/${id}`, {
        token: eve.token,
      });
      expect([status, body.code]).to.deep.equal([404, 'session_not_found']);
      expect((await vitrine.request('GET', '/users/me/sessions', { token: eve.token })).body.total).to.equal(
        1,
      );
    });

    it('end one by one', async () => {
      const [own, other] = [await browser(), await browser('another')];
      const [{ id } = { id: '' }] = await list(other);
      const theirs = (await list(other)).find(({ current }) => current)!.id;
      expect(id.length).to.be.greaterThan(0);
      const answer = await ask('DELETE', `/users/me/sessions/${theirs}`, own);
      expect([answer.status, answer.headers['set-cookie']]).to.deep.equal([200, undefined]);
      expect([await works(own), await works(other), await tokenWorks()]).to.deep.equal([true, false, true]);
      expect((await list(own)).map(({ id: each }) => each)).not.to.include(theirs);
      expect((await ask('DELETE', `/users/me/sessions/${theirs}`, own)).status).to.equal(404);
    });

    it('have the browser forget its cookie when the one that asks is ended', async () => {
      const cookie = await browser();
      const { id } = (await list(cookie)).find(({ current }) => current)!;
      const { headers } = await ask('DELETE', `/users/me/sessions/${id}`, cookie);
      expect(headers['set-cookie']).to.contain('Max-Age=0');
      expect(await works(cookie)).to.equal(false);
    });

    it('end all at once, the one that asks and tokens as well, but not API keys', async () => {
      const [own, other] = [await browser(), await browser('another')];
      const expires_at = new Date(clock.now() + HOUR).toISOString();
      const { body } = await vitrine.request('POST', '/api-keys', {
        token: ada.token,
        body: { name: 'kept', expires_at },
      });
      const { status, headers } = await ask('DELETE', '/users/me/sessions', own);
      expect([status, headers['set-cookie']?.includes('Max-Age=0')]).to.deep.equal([200, true]);
      expect([await works(own), await works(other), await tokenWorks()]).to.deep.equal([false, false, false]);
      const byKey = await vitrine.request('GET', '/users/me', { headers: { 'x-api-key': body.key } });
      expect(byKey.status).to.equal(200);
      expect((await list(await browser())).length).to.equal(1);
    });

    it('are no longer listed when they signed out, or when the password changed', async () => {
      const [own, other] = [await browser(), await browser('another')];
      await ask('DELETE', '/users/session', other);
      expect((await list(own)).length).to.equal(2);
      const changed = await vitrine.request('POST', '/users/me/password', {
        body: { old_password: PASSWORD, new_password: 'eight quiet rivers' },
        headers: { cookie: own, ...OWN_PAGE, 'user-agent': 'the same' },
      });
      const renewed = changed.headers['set-cookie']!.split(';')[0]!;
      expect(await list(renewed)).to.have.length(1);
      expect((await list(renewed))[0]).to.deep.include({ via: 'session', user_agent: 'the same' });
    });

    it('end with the account, and stay so when it is active again', async () => {
      const cookie = await browser();
      for (const status of ['disabled', 'active'] as const) {
        await vitrine.get(ADMINISTRATION).change(ada.id, { status }, BY);
      }
      expect(await works(cookie)).to.equal(false);
      expect(await list(await browser())).to.have.length(1);
    });

    describe('for administrators', () => {
      let admin: string;
      before(async () => {
        admin = await signIn(vitrine, 'admin');
      });
      const asAdmin = async (method: string, path: string): Promise<TestResponse> =>
        vitrine.request(method, `/users/${ada.id}/sessions${path}`, { token: admin });
      const authors = async (action: string) => {
        const path = `/audit?target_id=${ada.id}&action=${action}`;
        const { body } = await vitrine.request('GET', path, { token: admin });
        return body.entries.map((entry: Record<string, unknown>) => entry['actor_name']);
      };

      it('are those of the account, none of which is the one that asks', async () => {
        await browser('a browser');
        const { body } = await asAdmin('GET', '');
        expect(body.total).to.equal(2);
        expect(body.sessions.map(({ current }: Listed) => current)).to.deep.equal([false, false]);
        const { status } = await vitrine.request('GET', `/users/${ada.id}/sessions`, { token: ada.token });
        expect(status).to.equal(403);
      });

      it('end one by one, and the trail says by whom', async () => {
        const cookie = await browser();
        const { id } = (await list(cookie)).find(({ current }) => current)!;
        expect((await asAdmin('DELETE', `/${id}`)).status).to.equal(200);
        expect([await works(cookie), await tokenWorks()]).to.deep.equal([false, true]);
        const again = await asAdmin('DELETE', `/${id}`);
        expect([again.status, again.body.detail]).to.deep.equal([
          404,
          `The account "${ada.username}" has no session with the id "${id}".`,
        ]);
        expect(await authors('account.sign_out')).to.deep.equal(['admin']);
      });

      it('end all at once, but not those of the administrator', async () => {
        const cookie = await browser();
        expect((await asAdmin('DELETE', '')).status).to.equal(200);
        expect([await works(cookie), await tokenWorks()]).to.deep.equal([false, false]);
        expect((await asAdmin('GET', '')).body.total).to.equal(0);
        expect(await authors('account.sign_out_everywhere')).to.deep.equal(['admin']);
      });

      it('are unknown for an unknown account', async () => {
        const path = '/users/00000000-0000-7000-8000-000000000000/sessions';
        for (const method of ['GET', 'DELETE']) {
          const { status, body } = await vitrine.request(method, path, { token: admin });
          expect([status, body.code]).to.deep.equal([404, 'user_not_found']);
        }
      });
    });

    const lastUses = async (ids: readonly string[]): Promise<number> => {
      await vitrine.get(KEPT_USES).flush();
      const { knex } = vitrine.get(DATABASE);
      return (await knex('users_credential_uses').whereIn('credential_id', ids)).length;
    };

    it('are forgotten with their last use once they have expired', async () => {
      const { id } = (await list(await browser())).find(({ current }) => current)!;
      await vitrine.get(KEPT_USES).flush();
      const rows = async () => {
        const { knex } = vitrine.get(DATABASE);
        const sessions = await knex('users_sessions').where({ id });
        const uses = await knex('users_credential_uses').where({ credential_id: id });
        return [sessions.length, uses.length];
      };
      await vitrine.get(SESSIONS).deleteEnded();
      expect(await rows()).to.deep.equal([1, 1]);
      clock.advance(HOUR);
      await vitrine.get(SESSIONS).deleteEnded();
      expect(await rows()).to.deep.equal([0, 0]);
      // The accounts of the tests after this one begin later than what has expired.
      expect(await list(await browser())).to.have.length(1);
    });

    it('are forgotten with their last use, also where they were ended before they expired', async () => {
      const cookie = await browser();
      const { id } = (await list(cookie)).find(({ current }) => current)!;
      await ask('DELETE', '/users/session', cookie);
      expect(await lastUses([id])).to.equal(1);
      clock.advance(26 * HOUR);
      await vitrine.runJob('users:expired-tokens');
      expect(await lastUses([id])).to.equal(0);
    });

    it('leave no last use when the account is deleted, also that of a moment ago', async () => {
      const [cookie, ended] = [await browser(), await browser()];
      expect(await tokenWorks()).to.equal(true);
      const ids = (await list(ended)).map(({ id }) => id);
      await ask('DELETE', '/users/session', ended);
      expect(await works(cookie)).to.equal(true);
      expect(await lastUses(ids)).to.equal(3);
      const { status } = await vitrine.request('DELETE', '/users/me', {
        body: { password: PASSWORD },
        headers: { cookie, ...OWN_PAGE },
      });
      expect(status).to.equal(200);
      expect(await lastUses(ids)).to.equal(0);
    });
  });
});
