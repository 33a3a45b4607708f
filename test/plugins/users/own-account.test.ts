import { expect } from 'chai';
import { onEveryEngine, type TestResponse } from '../../../core/testing.ts';
import { PASSWORD, startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';

onEveryEngine((engine) => {
  describe('PATCH /users/me', () => {
    let vitrine: Vitrine;
    let ada: SignedIn;
    let made = 0;

    before(async () => {
      vitrine = await startVitrine(engine, { plugins: ['users', 'api-keys'] });
    });
    after(() => vitrine.stop());
    beforeEach(async () => {
      ada = await vitrine.user(`ada-${(made += 1)}`);
    });

    const patch = (body: object, token = ada.token): Promise<TestResponse> =>
      vitrine.request('PATCH', '/users/me', { token, body });
    const me = async () => (await vitrine.request('GET', '/users/me', { token: ada.token })).body;

    it('changes the e-mail address with the password, and ends no session', async () => {
      const { status, body } = await patch({ email: 'lovelace@example.org', password: PASSWORD });
      expect([status, body.email]).to.deep.equal([200, 'lovelace@example.org']);
      expect(await me()).to.deep.equal(body);
    });

    it('changes only the case of the own address', async () => {
      const email = (await me()).email.toUpperCase();
      expect((await patch({ email, password: PASSWORD })).body.email).to.equal(email);
    });

    it('does nothing without the password', async () => {
      const { status, body } = await patch({ email: 'other@example.org' });
      expect([status, body.errors[0].pointer]).to.deep.equal([422, '/body/password']);
      const wrong = await patch({ email: 'other@example.org', password: 'not the password' });
      expect([wrong.status, wrong.body.code]).to.deep.equal([403, 'wrong_password']);
      expect((await me()).email).to.equal(`${ada.username}@example.org`);
    });

    it('is slowed down like guessing', async () => {
      for (let n = 0; n < 10; n += 1) await patch({ email: 'other@example.org', password: 'wrong' });
      expect((await patch({ email: 'other@example.org', password: PASSWORD })).status).to.equal(429);
    });

    it('takes back what was read, without the password', async () => {
      const account = await me();
      expect((await patch(account)).body).to.deep.equal(account);
    });

    for (const field of ['id', 'username', 'role', 'status', 'created_at']) {
      it(`refuses another ${field}`, async () => {
        const { status, body } = await patch({ [field]: 'other' });
        expect([status, body.errors[0].pointer]).to.deep.equal([422, `/body/${field}`]);
      });
    }

    it('refuses an address that is taken or none', async () => {
      const eve = await vitrine.user(`eve-${made}`);
      const taken = await patch({ email: `EVE-${made}@example.org`, password: PASSWORD });
      expect([taken.status, taken.body.code, eve.username]).to.deep.equal([
        409,
        'email_taken',
        `eve-${made}`,
      ]);
      expect((await patch({ email: 'nobody', password: PASSWORD })).status).to.equal(422);
    });

    it('is refused to API keys', async () => {
      const body = { name: 'k', expires_at: '2099-01-01T00:00:00Z' };
      const { key } = (await vitrine.request('POST', '/api-keys', { token: ada.token, body })).body;
      const headers = { 'x-api-key': key };
      const answer = await vitrine.request('PATCH', '/users/me', { headers, body: { email: 'a@b.org' } });
      expect(answer.status).to.equal(403);
    });
  });
});
