import { expect } from 'chai';
import { CLIENT_SECRET } from '../../support/identity-provider.ts';
import { AUDIENCE, Stage } from './support.ts';

const DISCOVERY = '/.well-known/openid-configuration';
const HTML = '<h1>Welcome</h1>';

describe('oidc: a provider that answers', () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = new Stage();
    await stage.open('sqlite', { audience: AUDIENCE }, { plugins: ['users', 'oidc'] });
    stage.corp.add('ada', { preferred_username: 'ada' });
  });
  afterEach(() => stage.close());

  const failed = async (): Promise<string> => {
    const begun = await stage.beginning('corp');
    const answer = begun.status === 200 ? await stage.signIn('corp', 'ada') : begun;
    expect([answer.status, answer.body.code]).to.deep.equal([503, 'sign_in_provider_unavailable']);
    expect(answer.body.detail).to.match(
      /^The provider "Corporate" \(http:\/\/[\d.:]+\) cannot be used now: .+\.$/,
    );
    return answer.body.detail as string;
  };

  for (const path of [DISCOVERY, '/token', '/jwks', '/me']) {
    for (const [status, body] of [
      [500, '{"error":"server_error"}'],
      [200, HTML],
      [302, ''],
    ] as const) {
      it(`${path} with ${status} and "${body}" cannot be used`, async () => {
        stage.corp.faults.set(path, { status, body });
        const detail = await failed();
        expect(detail).to.include(`${stage.corp.issuer}${path} answers with`);
        expect(detail).to.include(status === 200 ? 'a web page' : `status ${status}`);
        stage.corp.faults.clear();
        stage.clock.advance(11_000);
        expect((await stage.signIn('corp', 'ada')).status).to.equal(200);
      });
    }
  }

  it('as another issuer cannot be used', async () => {
    const body = JSON.stringify({ issuer: 'https://evil.example', jwks_uri: 'https://evil.example/jwks' });
    stage.corp.faults.set(DISCOVERY, { status: 200, body });
    expect(await failed()).to.include('calls itself https://evil.example');
  });

  it('without keys, or with addresses that are none, cannot be used', async () => {
    for (const more of [{}, { jwks_uri: 'nowhere' }, { jwks_uri: `${stage.corp.issuer}/jwks` }]) {
      const body = JSON.stringify({ issuer: stage.corp.issuer, ...more });
      stage.corp.faults.set(DISCOVERY, { status: 200, body });
      await failed();
      stage.clock.advance(11_000);
    }
  });

  it('with more than it may cannot be used', async () => {
    stage.corp.faults.set(DISCOVERY, { status: 200, body: `{"a":"${'x'.repeat(2_000_000)}"}` });
    await failed();
  });

  it('that it does not know this service cannot be used, and the secret is not told', async () => {
    stage.corp.faults.set('/token', { status: 401, body: '{"error":"invalid_client"}' });
    const detail = await failed();
    expect(detail).to.include('invalid_client').and.to.include('client_id and secret');
    expect(detail + stage.log.join('\n')).not.to.include(CLIENT_SECRET);
  });

  it('with keys that are none is a 503 for machines, and not a wrong token', async () => {
    stage.corp.faults.set('/jwks', { status: 200, body: '{"keys":"none"}' });
    const token = await stage.corp.machineToken(AUDIENCE);
    const { status, body } = await stage.vitrine.request('GET', '/users/me', { token });
    expect([status, body.code]).to.deep.equal([503, 'sign_in_provider_unavailable']);
  });

  it('with claims of any kind makes no fault of the service', async () => {
    for (const [index, claims] of [
      { preferred_username: 7, email: {}, groups: 'one', name: null },
      { preferred_username: '', email: 'no address', groups: [[], {}, 3, ' two '], name: ['x'] },
      { preferred_username: '\u0000\uD800', email: 'a@b@c', email_verified: true },
      { preferred_username: 'x'.repeat(5000), email: `${'y'.repeat(500)}@example.org`, email_verified: true },
    ].entries()) {
      const subject = `odd${index}`;
      stage.corp.add(subject, claims);
      const { status, body } = await stage.signIn('corp', subject);
      expect(status, JSON.stringify(body)).to.be.oneOf([200, 403, 422]);
    }
  });
});
