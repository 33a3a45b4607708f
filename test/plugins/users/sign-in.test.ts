import { expect } from 'chai';
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
      vitrine = await startVitrine(engine, { plugins: ['users'], clock });
      ada = await vitrine.user('ada');
    });

    after(() => vitrine.stop());

    afterEach(() => clock.advance(2 * 3_600_000));

    function login(username: string, password: string = PASSWORD): Promise<TestResponse> {
      return vitrine.request('POST', '/users/login', { body: { username, password } });
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
