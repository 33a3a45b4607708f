import { expect } from 'chai';
import { DATABASE } from '../../../core/index.ts';
import { onEveryEngine, type TestResponse } from '../../../core/testing.ts';
import { startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';
import { manualClock, type ManualClock } from './manual-clock.ts';

const PASSWORD = 'correct horse battery';

onEveryEngine((engine) => {
  describe('signing in', () => {
    let vitrine: Vitrine;
    let clock: ManualClock;
    let ada: SignedIn;

    before(async () => {
      clock = manualClock();
      const settings = { server: { trust_proxy: '1' } };
      vitrine = await startVitrine(engine, { plugins: ['users'], clock, settings });
      ada = await vitrine.user('ada');
    });

    after(() => vitrine.stop());

    afterEach(() => clock.advance(2 * 3_600_000));

    function login(
      username: string,
      password: string = PASSWORD,
      address: string = '127.0.0.1',
    ): Promise<TestResponse> {
      const headers = { 'X-Forwarded-For': address };
      return vitrine.request('POST', '/users/login', { headers, body: { username, password } });
    }

    /** Wrong passwords from one address each. */
    async function guess(username: string, times: number): Promise<void> {
      for (let n = 0; n < times; n++) await login(username, 'wrong password', `198.51.100.${n}`);
    }

    /** What a caller sees, without what differs in every answer. */
    function seen({ status, headers, body }: TestResponse) {
      const { request_id: _, ...rest } = body as Record<string, unknown>;
      const { date: _date, 'x-request-id': _id, traceparent: _trace, ...kept } = headers;
      return { status, body: rest, headers: kept };
    }

    it('answers a bearer token and when it expires', async () => {
      const { status, body } = await login('ada');
      expect([status, body.token_type]).to.deep.equal([200, 'bearer']);
      expect(Date.parse(body.expires_at)).to.be.greaterThan(clock.now());
    });

    it('gives a token that works', async () => {
      const { body } = await login('ada');
      const me = await vitrine.request('GET', '/users/me', { token: body.access_token });
      expect([me.status, me.body.id]).to.deep.equal([200, ada.id]);
    });

    it('does not mind the case of the username', async () => {
      expect((await login('ADA')).status).to.equal(200);
    });

    it('minds the case of the password', async () => {
      expect((await login('ada', PASSWORD.toUpperCase())).status).to.equal(401);
    });

    it('answers the same for an unknown user and a wrong password', async () => {
      expect(seen(await login('nobody', 'wrong password'))).to.deep.equal(
        seen(await login('ada', 'wrong password')),
      );
    });

    it('answers the same for a password that is too short to be one', async () => {
      expect(seen(await login('ada', 'x'))).to.deep.equal(seen(await login('ada', 'wrong password')));
    });

    it('answers the same for a disabled account', async () => {
      const eve = await vitrine.user('eve');
      const { token } = await vitrine.user('nina');
      expect(token).to.be.a('string');
      const admin = await login('admin');
      await vitrine.request('PATCH', `/users/${eve.id}`, {
        token: admin.body.access_token,
        body: { status: 'disabled' },
      });
      expect(seen(await login('eve'))).to.deep.equal(seen(await login('ada', 'wrong password')));
    });

    it('takes a username with quotes and wildcards for a text', async () => {
      expect((await login(`' or '1'='1' --%`)).status).to.equal(401);
    });

    for (const body of [
      {},
      { username: 'ada' },
      { username: 'ada', password: 5 },
      { username: '', password: 'x' },
    ]) {
      it(`refuses ${JSON.stringify(body)} with 422`, async () => {
        expect((await vitrine.request('POST', '/users/login', { body })).status).to.equal(422);
      });
    }

    it('makes an account wait after ten failures, also for the right password', async () => {
      for (let n = 0; n < 10; n++) await login('ada', 'wrong password');
      const { status, body, headers } = await login('ada');
      expect([status, body.code, headers['retry-after']]).to.deep.equal([429, 'too_many_attempts', '1']);
    });

    it('makes an unknown account wait just the same', async () => {
      for (let n = 0; n < 10; n++) await login('nemo', 'wrong password');
      expect((await login('NEMO')).status).to.equal(429);
    });

    it('lets the account in when it has waited', async () => {
      for (let n = 0; n < 10; n++) await login('ada', 'wrong password');
      clock.advance(1000);
      expect((await login('ada')).status).to.equal(200);
    });

    describe('while passwords are guessed elsewhere', () => {
      let people = 0;
      let dora: SignedIn;

      beforeEach(async () => {
        dora = await vitrine.user(`dora${++people}`);
        await guess(dora.username, 11);
      });

      it('succeeds at an address from which the account signed in', async () => {
        expect((await login(dora.username)).status).to.equal(200);
      });

      it('succeeds at the address that registered the account', async () => {
        const body = { username: `new${people}`, email: `new${people}@example.org`, password: PASSWORD };
        const headers = { 'X-Forwarded-For': '203.0.113.5' };
        await vitrine.request('POST', '/users/register', { headers, body });
        await guess(body.username, 11);
        expect((await login(body.username, PASSWORD, '203.0.113.5')).status).to.equal(200);
      });

      it('waits at any other address, so that guessing stays slow', async () => {
        expect((await login(dora.username, PASSWORD, '192.0.2.1')).status).to.equal(429);
      });

      it('waits at the own address after as many failures there', async () => {
        for (let n = 0; n < 10; n++) await login(dora.username, 'wrong password');
        expect((await login(dora.username)).status).to.equal(429);
      });

      it('does not give those who guess a new start when it succeeds', async () => {
        await login(dora.username);
        expect((await login(dora.username, 'wrong password', '198.51.100.1')).status).to.equal(429);
      });

      it('succeeds at a known address on another instance and after a restart', async () => {
        const second = await startVitrine(engine, {
          plugins: ['users'],
          clock,
          scratch: vitrine.scratch,
          settings: { server: { trust_proxy: '1' } },
        });
        const ask = (password: string, address: string) =>
          second.request('POST', '/users/login', {
            headers: { 'X-Forwarded-For': address },
            body: { username: dora.username, password },
          });
        for (let n = 0; n < 11; n++) await ask('wrong password', `198.51.100.${n}`);
        const statuses = [await ask(PASSWORD, '127.0.0.1'), await ask(PASSWORD, '192.0.2.1')];
        await second.stop();
        expect(statuses.map(({ status }) => status)).to.deep.equal([200, 429]);
      });

      it('waits at an address from which the account has not signed in for thirty days', async () => {
        clock.advance(30 * 24 * 3_600_000 + 1);
        await guess(dora.username, 11);
        expect((await login(dora.username)).status).to.equal(429);
      });

      it('does not keep anyone with a valid token from changing the password', async () => {
        const { status } = await vitrine.request('POST', '/users/me/password', {
          token: (await login(dora.username)).body.access_token,
          headers: { 'X-Forwarded-For': '198.51.100.1' },
          body: { old_password: PASSWORD, new_password: 'new password' },
        });
        expect(status).to.equal(200);
      });
    });

    it('stores no address in clear', async () => {
      const rows: unknown = await vitrine.get(DATABASE).knex('users_known_addresses').select();
      expect(rows).to.have.length.greaterThan(0);
      // In quotes, as three letters may stand in a hash by chance.
      expect(JSON.stringify(rows)).not.to.contain('127.0.0.1').and.not.to.contain('"ada"');
    });

    it('deletes addresses that are not known any more', async () => {
      clock.advance(30 * 24 * 3_600_000 + 1);
      await vitrine.runJob('users:old-addresses');
      expect(await vitrine.get(DATABASE).knex('users_known_addresses').select()).to.deep.equal([]);
    });

    it('makes an address wait after thirty failures in a minute', async () => {
      for (let n = 0; n < 30; n++) await login(`guess${n}`, 'wrong password');
      expect((await login('ada')).status).to.equal(429);
    });

    it('checks no more than a few passwords of guesses that come all at once', async () => {
      const answers = await Promise.all(Array.from({ length: 40 }, () => login('ada', 'wrong password')));
      expect(answers.filter(({ status }) => status === 401).length).to.be.within(10, 12);
    });

    it('lets many sign in at once', async () => {
      const answers = await Promise.all(Array.from({ length: 100 }, () => login('ada')));
      expect(answers.filter(({ status }) => status !== 200)).to.deep.equal([]);
    }).timeout(180_000);
  });

  describe('changing the password', () => {
    let vitrine: Vitrine;

    before(async () => {
      vitrine = await startVitrine(engine, { plugins: ['users'] });
    });

    after(() => vitrine.stop());

    function change(who: SignedIn, old_password: string, new_password: string): Promise<TestResponse> {
      return vitrine.request('POST', '/users/me/password', {
        token: who.token,
        body: { old_password, new_password },
      });
    }

    async function statusWith(token: string): Promise<number> {
      return (await vitrine.request('GET', '/users/me', { token })).status;
    }

    async function loginStatus(username: string, password: string): Promise<number> {
      return (await vitrine.request('POST', '/users/login', { body: { username, password } })).status;
    }

    it('lets in with the new one and not with the old one', async () => {
      await change(await vitrine.user('ada'), PASSWORD, 'new password');
      expect([await loginStatus('ada', 'new password'), await loginStatus('ada', PASSWORD)]).to.deep.equal([
        200, 401,
      ]);
    });

    it('ends the tokens given out before', async () => {
      const grace = await vitrine.user('grace');
      await change(grace, PASSWORD, 'new password');
      expect(await statusWith(grace.token)).to.equal(401);
    });

    it('answers a token that works', async () => {
      const { body } = await change(await vitrine.user('alan'), PASSWORD, 'new password');
      expect(await statusWith(body.access_token)).to.equal(200);
    });

    it('needs the current password', async () => {
      const linus = await vitrine.user('linus');
      const { status, body } = await change(linus, 'wrong password', 'new password');
      expect([status, body.code]).to.deep.equal([403, 'wrong_password']);
    });

    it('leaves the token alone when it fails', async () => {
      const ken = await vitrine.user('ken');
      await change(ken, 'wrong password', 'new password');
      expect(await statusWith(ken.token)).to.equal(200);
    });

    it('does not let an administrator choose a password that everybody tries first', async () => {
      const { status, body } = await change(await vitrine.admin(), PASSWORD, 'ChangeMe123');
      expect([status, body.errors?.[0].pointer]).to.deep.equal([422, '/body/new_password']);
      expect((await change(await vitrine.user('barbara'), PASSWORD, 'ChangeMe123')).status).to.equal(200);
    });

    it('refuses a new password that is too short', async () => {
      expect((await change(await vitrine.user('dennis'), PASSWORD, 'short')).status).to.equal(422);
    });

    it('does not let a stolen token guess the password for ever', async () => {
      const bjarne = await vitrine.user('bjarne');
      for (let n = 0; n < 10; n++) await change(bjarne, 'wrong password', 'new password');
      expect((await change(bjarne, PASSWORD, 'new password')).status).to.equal(429);
    });
  });
});
