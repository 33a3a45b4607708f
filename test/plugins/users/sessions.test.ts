import { expect } from 'chai';
import { API_DESCRIPTION, TOKEN_ISSUER } from '../../../core/index.ts';
import { onEveryEngine, type TestRequest, type TestResponse } from '../../../core/testing.ts';
import { ADMINISTRATION } from '../../../plugins/users/administration.ts';
import { freePort } from '../../support/free-port.ts';
import { PASSWORD, startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';
import { manualClock, type ManualClock } from './manual-clock.ts';

const BY = { kind: 'command', name: 'test' } as const;

/** What a browser sends with a request that a page of the service makes. */
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };
const JUNK = ['', 'x', 'a.b.c', 'e30.e30.e30', '%00', 'x'.repeat(5000)];

function openSession(vitrine: Vitrine, username: string, password = PASSWORD): Promise<TestResponse> {
  return vitrine.request('POST', '/users/session', { body: { username, password } });
}

/** The first pair of `Set-Cookie`, as a browser sends it back. */
function cookieOf({ headers }: TestResponse): string {
  return headers['set-cookie']!.split(';')[0]!;
}

/** The attributes of `Set-Cookie`. */
function attributesOf({ headers }: TestResponse): readonly string[] {
  return headers['set-cookie']!.split('; ').slice(1);
}

onEveryEngine((engine) => {
  describe('a session', () => {
    let vitrine: Vitrine;
    let clock: ManualClock;
    let users = 0;
    let ada: SignedIn;
    let cookie: string;

    before(async () => {
      clock = manualClock();
      vitrine = await startVitrine(engine, { plugins: ['users', 'api-keys', 'catalogue'], clock });
    });

    after(() => vitrine.stop());

    beforeEach(async () => {
      ada = await vitrine.user(`ada${users++}`);
      cookie = cookieOf(await openSession(vitrine, ada.username));
    });

    function ask(method: string, path: string, request: TestRequest = {}, headers: object = OWN_PAGE) {
      return vitrine.request(method, path, { ...request, headers: { cookie, ...headers } });
    }

    async function works(): Promise<boolean> {
      return (await ask('GET', '/users/me')).status === 200;
    }

    describe('begins with an answer that', () => {
      let answer: TestResponse;

      beforeEach(async () => {
        answer = await openSession(vitrine, ada.username);
      });

      it('is the account, without the token', async () => {
        const me = await vitrine.request('GET', '/users/me', { token: ada.token });
        expect([answer.status, answer.body]).to.deep.equal([200, me.body]);
      });

      it('sets a cookie for pages of the service alone, out of reach of scripts', () => {
        expect(attributesOf(answer)).to.have.members([
          'Path=/',
          'Max-Age=3600',
          'HttpOnly',
          'SameSite=Strict',
        ]);
      });

      it('names the cookie as the OpenAPI document does', () => {
        const document = vitrine.get(API_DESCRIPTION).document();
        expect(document).to.have.nested.property(
          'components.securitySchemes.cookieAuth.name',
          cookieOf(answer).split('=')[0],
        );
      });

      it('no cache may store', () => {
        expect(answer.headers['cache-control']).to.equal('no-store');
      });
    });

    it('does not begin with a wrong password, which is answered as by a login', async () => {
      const body = { username: ada.username, password: 'wrong password' };
      const login = await vitrine.request('POST', '/users/login', { body });
      const answer = await openSession(vitrine, ada.username, 'wrong password');
      expect([answer.status, answer.body.code, answer.body.detail]).to.deep.equal([
        401,
        login.body.code,
        login.body.detail,
      ]);
      expect(answer.headers).not.to.have.property('set-cookie');
    });

    it('begins while the cookie of an ended one is sent', async () => {
      const body = { username: ada.username, password: PASSWORD };
      const headers = { cookie: 'vitrine_session=a.b.c' };
      const { status } = await vitrine.request('POST', '/users/session', { body, headers });
      expect(status).to.equal(200);
    });

    it('is throttled together with logins', async () => {
      const body = { username: ada.username, password: 'wrong password' };
      for (let failure = 0; failure < 10; failure++) await vitrine.request('POST', '/users/login', { body });
      const { status, headers } = await openSession(vitrine, ada.username);
      clock.advance(2 * 3_600_000);
      expect([status, 'retry-after' in headers]).to.deep.equal([429, true]);
    });

    it('shows the account, in answers that no cache may store', async () => {
      const { status, body, headers } = await ask('GET', '/users/me', {}, {});
      expect([status, body.id, headers['cache-control']]).to.deep.equal([200, ada.id, 'no-store']);
    });

    it('keeps what is public out of caches, because its holder may see more of it', async () => {
      const { headers } = await ask('GET', '/algorithms');
      expect(headers['cache-control']).to.equal('no-store');
    });

    it('may manage keys', async () => {
      const { status } = await ask('POST', '/api-keys', { body: { name: 'laptop', expires_at: later() } });
      expect(status).to.equal(200);
    });

    it('gives no more rights than its account has', async () => {
      expect((await ask('GET', '/users')).status).to.equal(403);
    });

    it('changes something for pages of the service, which say so in Origin', async () => {
      const { status } = await ask('POST', '/users/logout', {}, { origin: vitrine.rootUrl });
      expect(status).to.equal(200);
    });

    for (const [page, headers] of [
      ['other origins', { origin: 'https://evil.example' }],
      ['the same host on another port', { origin: 'http://127.0.0.1:1' }],
      ['the same site', { 'sec-fetch-site': 'same-site' }],
      ['an origin that is not told', {}],
    ] as const) {
      it(`changes nothing for pages of ${page}`, async () => {
        const refusals = [
          await ask('POST', '/users/logout', {}, headers),
          await ask('DELETE', '/users/session', {}, headers),
        ];
        expect(refusals.map(({ status, body }) => [status, body.code])).to.deep.equal([
          [403, 'origin_refused'],
          [403, 'origin_refused'],
        ]);
        expect(await works()).to.equal(true);
      });
    }

    it('stands behind a bearer token, which needs no origin', async () => {
      const bob = await vitrine.user(`bob${users}`);
      const headers = { cookie, authorization: `Bearer ${bob.token}` };
      const me = await vitrine.request('GET', '/users/me', { headers });
      const { status } = await vitrine.request('POST', '/users/logout', { headers });
      expect([me.body.id, status, await works()]).to.deep.equal([bob.id, 200, true]);
    });

    it('stands behind an API key, with what the key may not do', async () => {
      const made = await ask('POST', '/api-keys', { body: { name: 'laptop', expires_at: later() } });
      const { body } = await ask('POST', '/users/logout', {}, { 'x-api-key': made.body.key });
      expect(body.code).to.equal('forbidden');
    });

    it('does not stand in for a bad bearer token', async () => {
      expect((await ask('GET', '/users/me', {}, { authorization: 'Bearer a.b.c' })).status).to.equal(401);
    });

    describe('ends', () => {
      afterEach(async () => {
        const { status, body, headers } = await ask('GET', '/users/me');
        expect([status, body.code, headers['set-cookie']]).to.deep.equal([
          401,
          'invalid_credentials',
          'vitrine_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
        ]);
      });

      it('when the page ends it, and the browser forgets it', async () => {
        const answer = await ask('DELETE', '/users/session');
        expect([answer.status, cookieOf(answer)]).to.deep.equal([200, 'vitrine_session=']);
        expect(attributesOf(answer)).to.have.members(['Path=/', 'Max-Age=0', 'HttpOnly', 'SameSite=Strict']);
      });

      it('when its token signs out', async () => {
        await ask('POST', '/users/logout');
      });

      it('when the account is disabled', async () => {
        await vitrine.get(ADMINISTRATION).change(ada.id, { status: 'disabled' }, BY);
      });

      it('when the token expires', async () => {
        clock.advance(3_600_000);
      });

      it('when the password is changed elsewhere', async () => {
        const body = { old_password: PASSWORD, new_password: 'new password' };
        const { headers } = await vitrine.request('POST', '/users/me/password', { token: ada.token, body });
        expect(headers).not.to.have.property('set-cookie');
      });

      it('when it changes the password, and goes on as another one', async () => {
        const body = { old_password: PASSWORD, new_password: 'new password' };
        const renewed = cookieOf(await ask('POST', '/users/me/password', { body }));
        const { status } = await ask('GET', '/users/me', {}, { cookie: renewed });
        expect([status, renewed === cookie]).to.deep.equal([200, false]);
      });
    });

    it('does not end with another one of the account', async () => {
      const other = cookieOf(await openSession(vitrine, ada.username));
      await ask('DELETE', '/users/session', {}, { ...OWN_PAGE, cookie: other });
      expect(await works()).to.equal(true);
    });

    it('that is none is ended without complaint', async () => {
      const answers = [
        await vitrine.request('DELETE', '/users/session'),
        await ask('DELETE', '/users/session', {}, { cookie: 'vitrine_session=a.b.c' }),
      ];
      expect(answers.map((answer) => [answer.status, cookieOf(answer)])).to.deep.equal([
        [200, 'vitrine_session='],
        [200, 'vitrine_session='],
      ]);
    });

    for (const value of JUNK) {
      it(`of the form "${value.slice(0, 20)}" is ignored on public routes and refused elsewhere`, async () => {
        cookie = `vitrine_session=${value}`;
        const [open, own] = [await ask('GET', '/algorithms'), await ask('GET', '/users/me')];
        expect([open.status, own.status, own.body.code]).to.deep.equal([200, 401, 'invalid_credentials']);
        expect(cookieOf(own)).to.equal('vitrine_session=');
      });
    }

    it('is found among cookies of other services', async () => {
      cookie = `a=1; xvitrine_session=x; vitrine_session_=x;${cookie};=; b`;
      expect(await works()).to.equal(true);
    });

    it('is found behind cookies of the same name from another installation', async () => {
      cookie = `${'vitrine_session=a.b.c; '.repeat(4)}vitrine_session; ${cookie}`;
      expect(await works()).to.equal(true);
    });

    it('is not found behind more of them than a browser has', async () => {
      cookie = `${'vitrine_session=x; '.repeat(5)}${cookie}`;
      expect(await works()).to.equal(false);
    });

    it('is that of the first cookie where two are valid', async () => {
      const bob = await vitrine.user(`bob${users}`);
      cookie = `${cookie}; ${cookieOf(await openSession(vitrine, bob.username))}`;
      expect((await ask('GET', '/users/me')).body.id).to.equal(ada.id);
    });

    it('is not found in cookies of other names', async () => {
      cookie = cookie.replace('vitrine_session', 'session');
      expect((await ask('GET', '/users/me')).body.code).to.equal('unauthenticated');
    });

    it('carries a token that works as a bearer token, too', async () => {
      const token = cookie.slice('vitrine_session='.length);
      expect(vitrine.get(TOKEN_ISSUER).verify(token).sub).to.equal(ada.id);
      expect((await vitrine.request('GET', '/users/me', { token })).status).to.equal(200);
    });

    function later(): string {
      return new Date(clock.now() + 86_400_000).toISOString();
    }
  });

  describe('the cookie of a session', () => {
    let vitrine: Vitrine;
    /** Where the service listens, whatever `PUBLIC_URL` is. */
    let address: string;

    afterEach(() => vitrine.stop());

    async function start(server: Readonly<Record<string, unknown>>, jwt: object = {}): Promise<void> {
      const port = await freePort();
      address = `http://127.0.0.1:${port}`;
      const settings = { server: { ...server, port }, jwt: { ...jwt } };
      vitrine = await startVitrine(engine, { plugins: ['users'], settings });
      await vitrine.user('ada');
    }

    /** Signs in and answers the attributes that depend on the address, and how a change from a page there is answered. */
    async function signedIn(basePath: string, origin: string, headers: Record<string, string> = {}) {
      const request = (method: string, path: string, more: TestRequest) =>
        vitrine.request(method, address + basePath + path, more);
      const body = { username: 'ada', password: PASSWORD };
      const opened = await request('POST', '/users/session', { body, headers });
      const changed = await request('POST', '/users/logout', {
        headers: { ...headers, cookie: cookieOf(opened), origin },
      });
      const attributes = attributesOf(opened).filter((text) => /^(?:Path|Secure)/.test(text));
      return [...attributes, changed.status];
    }

    it('is for the prefix that a proxy strips, and for TLS, where PUBLIC_URL has them', async () => {
      await start({ public_url: 'https://example.org/vitrine' });
      expect(await signedIn('/api/v1', 'https://example.org')).to.deep.equal([
        'Path=/vitrine/',
        'Secure',
        200,
      ]);
    });

    it('is of no use to a page at the address behind the proxy', async () => {
      await start({ public_url: 'https://example.org/vitrine' });
      expect((await signedIn('/api/v1', address)).at(-1)).to.equal(403);
    });

    it('is for the prefix of the base path', async () => {
      await start({ base_path: '/x/api/v1' });
      expect(await signedIn('/x/api/v1', address)).to.deep.equal(['Path=/x/', 200]);
    });

    it('is for TLS where a trusted proxy tells that it speaks it', async () => {
      await start({ trust_proxy: '1' });
      const origin = address.replace('http:', 'https:');
      const forwarded = { 'x-forwarded-proto': 'https' };
      expect(await signedIn('/api/v1', origin, forwarded)).to.deep.equal(['Path=/', 'Secure', 200]);
      expect(await signedIn('/api/v1', address)).to.deep.equal(['Path=/', 200]);
    });

    it('is not for TLS because a client tells so', async () => {
      await start({});
      const forwarded = { 'x-forwarded-proto': 'https' };
      expect(await signedIn('/api/v1', address, forwarded)).to.deep.equal(['Path=/', 200]);
    });

    it('lives as long as a token does', async () => {
      await start({}, { ttl: 60 });
      expect(attributesOf(await openSession(vitrine, 'ada'))).to.include('Max-Age=60');
    });

    it('is not for pages that CORS lets in', async () => {
      const page = 'https://page.example';
      await start({ cors_origins: [page] });
      const cookie = cookieOf(await openSession(vitrine, 'ada'));
      const headers = { cookie, origin: page };
      const read = await vitrine.request('GET', '/users/me', { headers });
      const changed = await vitrine.request('POST', '/users/logout', { headers });
      expect([read.headers['access-control-allow-credentials'], changed.body.code]).to.deep.equal([
        undefined,
        'origin_refused',
      ]);
      expect(changed.headers).not.to.have.property('access-control-allow-credentials');
    });
  });
});
