import { expect } from 'chai';
import { DATABASE } from '../../../core/index.ts';
import { onEveryEngine, type Scratch } from '../../../core/testing.ts';
import { REVOKED_TOKENS } from '../../../plugins/users/revoked-tokens.ts';
import { HEARD_ELSEWHERE_MS, until } from '../../support/until.ts';
import { startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';
import { manualClock } from './manual-clock.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

async function statusWith(vitrine: Vitrine, token: string): Promise<number> {
  return (await vitrine.request('GET', '/users/me', { token })).status;
}

function becomesRefused(vitrine: Vitrine, token: string): Promise<void> {
  return until(async () => (await statusWith(vitrine, token)) === 401, HEARD_ELSEWHERE_MS);
}

onEveryEngine((engine) => {
  describe('a bearer token', () => {
    let vitrine: Vitrine;
    let admin: SignedIn;

    before(async () => {
      vitrine = await startVitrine(engine, { plugins: ['users'] });
      admin = await vitrine.admin();
    });

    after(() => vitrine.stop());

    function change(id: string, body: object) {
      return vitrine.request('PATCH', `/users/${id}`, { token: admin.token, body });
    }

    it('is refused at once when its user is disabled', async () => {
      const { id, token } = await vitrine.user('ada');
      const before = await statusWith(vitrine, token);
      await change(id, { status: 'disabled' });
      expect([before, await statusWith(vitrine, token)]).to.deep.equal([200, 401]);
    });

    it('stays refused when its user is enabled again', async () => {
      const { id, token } = await vitrine.user('grace');
      await change(id, { status: 'disabled' });
      await change(id, { status: 'active' });
      expect(await statusWith(vitrine, token)).to.equal(401);
    });

    it('gives the rights of an administrator at once when its user becomes one', async () => {
      const { id, token } = await vitrine.user('alan');
      await change(id, { role: 'admin' });
      expect((await vitrine.request('GET', '/users', { token })).status).to.equal(200);
    });

    it('loses them at once when its user is demoted', async () => {
      const { id, token } = await vitrine.user('edsger');
      await change(id, { role: 'admin' });
      await vitrine.request('GET', '/users', { token });
      await change(id, { role: 'user' });
      expect((await vitrine.request('GET', '/users', { token })).status).to.equal(403);
    });

    it('is refused after signing out', async () => {
      const { token } = await vitrine.user('ken');
      const { status } = await vitrine.request('POST', '/users/logout', { token });
      expect([status, await statusWith(vitrine, token)]).to.deep.equal([200, 401]);
    });

    it('is not refused because another one of the same user signed out', async () => {
      const { token } = await vitrine.user('dennis');
      const body = { username: 'dennis', password: 'correct horse battery' };
      const other = (await vitrine.request('POST', '/users/login', { body })).body.access_token as string;
      await vitrine.request('POST', '/users/logout', { token });
      expect(await statusWith(vitrine, other)).to.equal(200);
    });

    for (const header of ['Bearer', 'Bearer ', 'Bearer x', 'bearer a.b.c', `Bearer ${'x'.repeat(5000)}`]) {
      it(`of the form "${header.slice(0, 20)}" is refused with WWW-Authenticate`, async () => {
        const { status, headers } = await vitrine.request('GET', '/users/me', {
          headers: { authorization: header },
        });
        expect([status, headers['www-authenticate']?.startsWith('Bearer')]).to.deep.equal([401, true]);
      });
    }

    it('is recognised whatever the case of its scheme', async () => {
      const headers = { authorization: `bEARER ${admin.token}` };
      expect((await vitrine.request('GET', '/users/me', { headers })).status).to.equal(200);
    });
  });

  describe('a bearer token and further instances', () => {
    let scratch: Scratch;
    let running: Vitrine[];

    beforeEach(async () => {
      scratch = await migratedScratch(engine);
      running = [];
    });

    afterEach(async () => {
      await Promise.all(running.map((vitrine) => vitrine.stop()));
      await scratch.remove();
    });

    async function start(): Promise<Vitrine> {
      const vitrine = await startVitrine(engine, { plugins: ['users'], scratch });
      running.push(vitrine);
      return vitrine;
    }

    it('that was ended by signing out stays ended after a restart', async () => {
      const first = await start();
      const { token } = await first.user('ada');
      await first.request('POST', '/users/logout', { token });
      await running.pop()!.stop();
      expect(await statusWith(await start(), token)).to.equal(401);
    });

    it('is dropped from the list of ended ones when it would have expired anyway', async () => {
      const clock = manualClock();
      const vitrine = await startVitrine(engine, { plugins: ['users'], scratch, clock });
      running.push(vitrine);
      await vitrine.get(REVOKED_TOKENS).add('old', 'somebody');
      clock.advance(26 * 3_600_000);
      await vitrine.get(REVOKED_TOKENS).add('new', 'somebody');
      await vitrine.runJob('users:expired-tokens');
      const rows: unknown = await vitrine.get(DATABASE).knex('users_revoked_tokens').select('jti');
      expect(rows).to.deep.equal([{ jti: 'new' }]);
    });

    // Several processes share a database on PostgreSQL only.
    if (engine === 'sqlite') return;

    it('is refused by another instance after its user was disabled', async () => {
      const [here, there] = [await start(), await start()];
      const { id, token } = await here.user('ada');
      const admin = await here.admin();
      expect(await statusWith(there, token)).to.equal(200);
      await here.request('PATCH', `/users/${id}`, { token: admin.token, body: { status: 'disabled' } });
      await becomesRefused(there, token);
    });

    it('is refused by another instance after signing out', async () => {
      const [here, there] = [await start(), await start()];
      const { token } = await here.user('ada');
      expect(await statusWith(there, token)).to.equal(200);
      await here.request('POST', '/users/logout', { token });
      await becomesRefused(there, token);
    });
  });
});
