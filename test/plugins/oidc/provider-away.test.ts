import { expect } from 'chai';
import { HEALTH } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { PASSWORD, type Vitrine } from '../../support/vitrine.ts';
import { AUDIENCE, Stage } from './support.ts';

/** Longer than a provider that failed is left alone. */
const RETRIED_MS = 11_000;
/** Longer than metadata is trusted when somebody is sent to the provider. */
const STALE_MS = 61_000;
/** Keys are read again at most once a second. */
const KEYS_MS = 1_100;

describe('oidc: a provider that is away', () => {
  onEveryEngine((engine) => {
    let stage: Stage;

    beforeEach(async () => {
      stage = new Stage();
      await stage.open(engine, { audience: AUDIENCE }, { plugins: ['users', 'oidc'] });
      stage.corp.add('ada', { preferred_username: 'ada' });
    });
    afterEach(() => stage.close());

    const health = async (): Promise<any> => (await stage.vitrine.get(HEALTH).report()).findings;

    it('is not asked at the start, nor by anybody who does not sign in by it', async () => {
      await stage.vitrine.request('GET', '/oidc/providers');
      const { token } = await stage.vitrine.user('grace');
      await stage.vitrine.request('GET', '/users/me', { token });
      expect([...stage.corp.asked, ...stage.other.asked]).to.deep.equal([]);
    });

    it('keeps nobody from starting, signing in with a password or by another provider', async () => {
      await stage.corp.stop();
      const second = await stage.start(
        engine,
        {},
        { plugins: ['users', 'oidc'], scratch: stage.vitrine.scratch },
      );
      try {
        const grace = await stage.vitrine.user('grace');
        const body = { username: grace.username, password: PASSWORD };
        expect((await second.request('POST', '/users/session', { body })).status).to.equal(200);
      } finally {
        await second.stop();
      }
      const linked = { email: 'grace@example.org', email_verified: true };
      stage.other.add('grace', linked);
      expect((await stage.signIn('other', 'grace')).status).to.equal(200);
    });

    it('is named by a 503 where somebody would sign in by it, and by the health, until it is back', async () => {
      await stage.corp.stop();
      const { status, body, headers } = await stage.beginning('corp');
      expect([status, body.code]).to.deep.equal([503, 'sign_in_provider_unavailable']);
      expect(body.detail).to.include('"Corporate"').and.to.include(stage.corp.issuer);
      expect(headers['retry-after']).to.equal('10');
      const finding = (await health())['oidc:providers'];
      expect(finding.state).to.equal('degraded');
      expect(finding.detail).to.equal(body.detail);
      await stage.corp.comeBack();
      expect((await stage.beginning('corp')).status, 'asked again too early').to.equal(503);
      stage.clock.advance(RETRIED_MS);
      expect((await stage.signIn('corp', 'ada')).status).to.equal(200);
      expect((await health())['oidc:providers'].state).to.equal('healthy');
    });

    it('is noticed before somebody is sent there, also when it went away meanwhile', async () => {
      await stage.begin('corp');
      await stage.corp.stop();
      expect((await stage.beginning('corp')).status).to.equal(200);
      stage.clock.advance(STALE_MS);
      expect((await stage.beginning('corp')).status).to.equal(503);
      await stage.corp.comeBack();
    });

    it('is asked once by all who wait for it', async () => {
      await Promise.all(Array.from({ length: 8 }, () => stage.begin('corp')));
      const asked = stage.corp.asked.filter((path) => path.startsWith('/.well-known/'));
      expect(asked).to.have.length(1);
    });

    it('is a 503 when it goes away between the begin and the end', async () => {
      const begun = await stage.begin('corp');
      const query = await stage.corp.signIn(begun.url, 'ada');
      await stage.corp.stop();
      const { status, body } = await stage.finish('corp', query, begun);
      expect([status, body.code]).to.deep.equal([503, 'sign_in_provider_unavailable']);
      await stage.corp.comeBack();
    });

    it('is a 503 for tokens of machines while its keys are not known', async () => {
      const token = await stage.corp.machineToken(AUDIENCE);
      await stage.corp.stop();
      const { status, body } = await stage.vitrine.request('GET', '/users/me', { token });
      expect([status, body.code]).to.deep.equal([503, 'sign_in_provider_unavailable']);
      await stage.corp.comeBack();
    });

    it('still signs people in and knows machines once it has other keys', async () => {
      const before = await stage.corp.machineToken(AUDIENCE);
      expect((await stage.signIn('corp', 'ada')).status).to.equal(200);
      expect((await stage.vitrine.request('GET', '/users/me', { token: before })).status).to.equal(200);
      await stage.corp.replaceKey();
      await new Promise((resolve) => setTimeout(resolve, KEYS_MS));
      expect((await stage.signIn('corp', 'ada')).status).to.equal(200);
      const after = await stage.corp.machineToken(AUDIENCE);
      expect((await stage.vitrine.request('GET', '/users/me', { token: after })).status).to.equal(200);
    });

    it('lets any of several processes finish what another one began', async () => {
      const second: Vitrine = await stage.start(
        engine,
        {},
        { plugins: ['users', 'oidc'], scratch: stage.vitrine.scratch },
      );
      try {
        stage.admit([stage.vitrine, second]);
        const begun = await stage.begin('corp');
        const query = await stage.corp.signIn(begun.url, 'ada');
        expect((await stage.finish('corp', query, begun, second)).status).to.equal(200);
      } finally {
        await second.stop();
      }
    });
  });
});
