import { expect } from 'chai';
import type { JWTPayload } from 'jose';
import { StoreUnavailable } from '../../../core/index.ts';
import { onEveryEngine, type TestResponse } from '../../../core/testing.ts';
import { LINKS } from '../../../plugins/oidc/accounts/links.ts';
import { CLIENT_ID, IdentityProvider } from '../../support/identity-provider.ts';
import { AUDIENCE, Stage } from './support.ts';

describe('oidc: access tokens of machines', () => {
  onEveryEngine((engine) => {
    const stage = new Stage();

    before(() => stage.open(engine, { audience: AUDIENCE }));
    after(() => stage.close());

    const me = (token: string): Promise<TestResponse> => stage.vitrine.request('GET', '/users/me', { token });
    const seconds = (): number => Math.floor(stage.clock.now() / 1000);
    const claims = (more: object = {}) => ({
      iss: stage.corp.issuer,
      aud: AUDIENCE,
      sub: 'machine',
      iat: seconds(),
      exp: seconds() + 600,
      ...more,
    });

    it('act for an account of their own, an ordinary one', async () => {
      const { status, body } = await me(await stage.corp.machineToken(AUDIENCE));
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body).to.include({ username: 'nightly-report', role: 'user', status: 'active' });
      const again = await me(await stage.corp.machineToken(AUDIENCE));
      expect(again.body.id).to.equal(body.id);
    });

    it('act for the person who is linked', async () => {
      stage.corp.add('grace', { preferred_username: 'grace' });
      const { user_id } = (await stage.signIn('corp', 'grace')).body;
      expect((await me(await stage.corp.signed(claims({ sub: 'grace' })))).body.id).to.equal(user_id);
    });

    it('make nobody an administrator, whatever they claim', async () => {
      const token = await stage.corp.signed(claims({ sub: 'bold', role: 'admin', groups: ['admin'] }));
      expect((await me(token)).body.role).to.equal('user');
    });

    it('are answered with the fault of the database while their link cannot be read', async () => {
      const token = await stage.corp.machineToken(AUDIENCE);
      expect((await me(token)).status).to.equal(200);
      const links = stage.vitrine.get(LINKS);
      const { find } = links;
      const unhandled: unknown[] = [];
      const note = (error: unknown) => void unhandled.push(error);
      process.on('unhandledRejection', note);
      Object.assign(links, { find: () => Promise.reject(StoreUnavailable('The database does not answer.')) });
      try {
        expect((await me(token)).status).to.equal(503);
      } finally {
        Object.assign(links, { find });
        process.off('unhandledRejection', note);
      }
      expect(unhandled).to.deep.equal([]);
      expect((await me(token)).status).to.equal(200);
    });

    it('may not manage passwords and keys, nor sign out', async () => {
      const token = await stage.corp.machineToken(AUDIENCE);
      for (const [method, path] of [
        ['GET', '/users/me/sessions'],
        ['GET', '/oidc/links'],
        ['POST', '/oidc/sign-out'],
      ] as const) {
        const { status } = await stage.vitrine.request(method, path, { token });
        expect(status, path).to.equal(403);
      }
    });

    it('are refused for another audience, or none', async () => {
      for (const aud of ['https://elsewhere.example', CLIENT_ID, undefined, []]) {
        const { status, body } = await me(await stage.corp.signed(claims({ aud })));
        expect([status, body.code]).to.deep.equal([401, 'invalid_credentials']);
        expect(body.detail).to.include('"aud"');
      }
      const elsewhere = await me(await stage.corp.machineToken('https://elsewhere.example'));
      expect(elsewhere.status).to.equal(401);
    });

    it('are refused when they are ID tokens', async () => {
      const token = await stage.corp.signed(claims({ aud: CLIENT_ID, nonce: 'n' }));
      expect((await me(token)).status).to.equal(401);
    });

    it('are refused for another issuer, also with the signature of a known one', async () => {
      const { status, body } = await me(await stage.corp.signed(claims({ iss: 'https://evil.example' })));
      expect([status, body.code]).to.deep.equal([401, 'invalid_credentials']);
      // The other provider has no audience, so none of its tokens is accepted.
      const token = await stage.other.signed(claims({ iss: stage.other.issuer }));
      expect((await me(token)).status).to.equal(401);
    });

    it('are refused when somebody else has signed them, or nobody', async () => {
      const thief = new IdentityProvider();
      await thief.replaceKey();
      expect((await me(await thief.signed(claims()))).status).to.equal(401);
      const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      expect((await me(`${part({ alg: 'none' })}.${part(claims())}.`)).status).to.equal(401);
      expect((await me(`${part({ alg: 'none' })}.${part(claims())}.x`)).status).to.equal(401);
    });

    it('are refused with another algorithm than the one that is set', async () => {
      const byOther = await stage.corp.signed(claims(), undefined, 'PS256');
      expect((await me(byOther)).status).to.equal(401);
      const secret = { kty: 'oct', k: btoa('a secret that is long enough for it').replaceAll('=', '') };
      expect((await me(await stage.corp.signed(claims(), secret, 'HS256'))).status).to.equal(401);
    });

    it('are refused when they do not say whom they are about', async () => {
      for (const sub of ['', ' ', 7, {}]) {
        // Tokens of a provider that does not keep to the standard.
        const token = await stage.corp.signed({ ...claims(), sub } as JWTPayload);
        const { status, body } = await me(token);
        expect([status, body.code], JSON.stringify(sub)).to.deep.equal([401, 'invalid_credentials']);
        expect(body.detail).to.include('"sub"');
      }
    });

    it('are refused once they have expired, but for a minute between the clocks', async () => {
      const token = await stage.corp.signed(claims({ sub: 'short', exp: seconds() + 100 }));
      expect((await me(token)).status).to.equal(200);
      stage.clock.advance(130_000);
      expect((await me(token)).status).to.equal(200);
      stage.clock.advance(60_000);
      const { status, body } = await me(token);
      expect(status).to.equal(401);
      expect(body.detail).to.include('expired');
    });

    it('are refused without an end, and before their time', async () => {
      expect((await me(await stage.corp.signed(claims({ exp: undefined })))).status).to.equal(401);
      expect((await me(await stage.corp.signed(claims({ nbf: seconds() + 300 })))).status).to.equal(401);
    });

    it('are refused at once when the account is disabled, and work again when it is active', async () => {
      const token = await stage.corp.signed(claims({ sub: 'switched' }));
      const { id } = (await me(token)).body;
      const admin = await stage.vitrine.admin();
      await stage.as(admin, 'PATCH', `/users/${id}`, { status: 'disabled' });
      const { status, body } = await me(token);
      expect([status, body.code]).to.deep.equal([401, 'invalid_credentials']);
      expect((await me(await stage.corp.signed(claims({ sub: 'switched', n: 1 })))).status).to.equal(401);
      await stage.as(admin, 'PATCH', `/users/${id}`, { status: 'active' });
      expect((await me(token)).status).to.equal(200);
    });

    it('leave tokens of the service itself alone', async () => {
      const { token, id } = await stage.vitrine.user('henry');
      expect((await me(token)).body.id).to.equal(id);
      expect((await me('no.jwt.at-all')).status).to.equal(401);
    });

    it('are recognised with the letter case and slash of the issuer as they are', async () => {
      const { status } = await me(await stage.corp.signed(claims({ iss: `${stage.corp.issuer}/` })));
      expect(status).to.equal(401);
    });
  });
});
