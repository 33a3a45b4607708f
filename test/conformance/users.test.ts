import { expect } from 'chai';
import { conformance, DATE_TIME, ID, UNKNOWN_ID } from './support/api.ts';

conformance('users', (api) => {
  let made = 0;
  const fresh = (fields: object = {}) => {
    made += 1;
    return {
      username: `user-${made}`,
      email: `user-${made}@example.org`,
      password: 'long enough',
      ...fields,
    };
  };
  const register = (body: object) => api.ok('POST', '/users/register', { body });
  const login = ({ username, password }: { username: string; password: string }) =>
    api.ok('POST', '/users/login', { body: { username, password } });

  before(() => api.person('admin'));

  describe('POST /users/register', () => {
    it('answers the user, without the password', async () => {
      const body = fresh();
      const { password: _, ...shown } = body;
      const user = await register(body);
      expect(user).to.include({ ...shown, role: 'user', status: 'active' });
      expect(user).to.have.keys('id', 'username', 'email', 'role', 'status', 'created_at', 'updated_at');
      expect(user.id).to.match(ID);
      expect(user.created_at).to.match(DATE_TIME);
    });

    it('names each field that is missing', async () => {
      const pointers = await api.pointers('POST', '/users/register', { body: {} });
      expect(pointers).to.have.members(['/body/username', '/body/email', '/body/password']);
    });

    for (const [what, fields, pointer] of [
      ['a password of 7 characters', { password: '1234567' }, '/body/password'],
      ['a password of 257 characters', { password: 'x'.repeat(257) }, '/body/password'],
      ['an invalid e-mail address', { email: 'nobody' }, '/body/email'],
      ['an empty username', { username: '' }, '/body/username'],
      ['a username with a space', { username: 'a b' }, '/body/username'],
      ['a number for a password', { password: 123456789 }, '/body/password'],
    ] as const) {
      it(`refuses ${what}`, async () => {
        const pointers = await api.pointers('POST', '/users/register', { body: fresh(fields) });
        expect([...new Set(pointers)]).to.deep.equal([pointer]);
      });
    }

    for (const password of ['12345678', 'x'.repeat(256), 'пароль 🙂 日本']) {
      it(`takes a password of ${[...password].length} characters and signs in with it`, async () => {
        const body = fresh({ password });
        await register(body);
        await login(body as { username: string; password: string });
      });
    }

    it('refuses a username or e-mail address that is taken in another case', async () => {
      const { username, email } = await register(fresh());
      await api.refused(409, 'POST', '/users/register', {
        body: fresh({ username: username.toUpperCase() }),
      });
      await api.refused(409, 'POST', '/users/register', { body: fresh({ email: email.toUpperCase() }) });
    });

    it('ignores a role, status or id in the request', async () => {
      const user = await register(fresh({ role: 'admin', status: 'disabled', id: UNKNOWN_ID }));
      expect(user).to.include({ role: 'user', status: 'active' });
      expect(user.id).to.not.equal(UNKNOWN_ID);
    });
  });

  describe('POST /users/login', () => {
    it('answers a bearer token with its expiry', async () => {
      const body = fresh();
      const { id } = await register(body);
      const token = await login(body);
      expect(token).to.have.keys('access_token', 'token_type', 'expires_at');
      expect(token.token_type).to.match(/^bearer$/i);
      expect(token.expires_at).to.match(DATE_TIME);
      const claims = JSON.parse(Buffer.from(token.access_token.split('.')[1], 'base64url').toString());
      expect(claims).to.include.keys('sub', 'iat', 'exp', 'jti', 'iss', 'aud');
      expect(claims.sub).to.equal(id);
      expect(new Date(claims.exp * 1000).toISOString()).to.equal(token.expires_at);
    });

    it('takes the username in any case', async () => {
      const body = fresh({ username: 'MixedCase' });
      await register(body);
      await login({ username: 'mIXEDcASE', password: body.password });
    });

    it('answers an unknown user and a wrong password alike', async () => {
      const { username } = await register(fresh());
      const answers = [];
      for (const name of [username, 'nobody-has-this-name']) {
        const body = { username: name, password: 'not the password' };
        const { request_id: _, ...problem } = await api.refused(401, 'POST', '/users/login', { body });
        answers.push(problem);
      }
      expect(answers[0]).to.deep.equal(answers[1]);
    });

    it('names each field that is missing', async () => {
      const pointers = await api.pointers('POST', '/users/login', { body: {} });
      expect(pointers).to.have.members(['/body/username', '/body/password']);
    });
  });

  describe('GET /users/me', () => {
    it('answers the user of the token', async () => {
      const body = fresh();
      const user = await register(body);
      const { access_token: token } = await login(body);
      expect(await api.ok('GET', '/users/me', { token })).to.deep.equal(user);
    });

    for (const [what, authorization] of [
      ['no token', undefined],
      ['nonsense', 'Bearer nonsense'],
      ['another scheme', 'Basic YTpi'],
      ['an empty token', 'Bearer '],
      ['an unsigned token', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.'],
    ] as const) {
      it(`is refused with ${what}`, async () => {
        const headers = authorization === undefined ? {} : { authorization };
        await api.refused(401, 'GET', '/users/me', { headers });
      });
    }

    it('is refused with a token whose end was altered', async () => {
      const { token } = await api.person('ann');
      const altered = token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA');
      await api.refused(401, 'GET', '/users/me', { token: altered });
    });

    it('is refused at once to a disabled user, who may not sign in either', async () => {
      const body = fresh();
      const { id } = await register(body);
      const { access_token: token } = await login(body);
      await api.ok('PATCH', `/users/${id}`, { as: 'admin', body: { status: 'disabled' } });
      await api.refused(401, 'GET', '/users/me', { token });
      await api.refused(401, 'POST', '/users/login', { body });
    });
  });

  it('has the first account as its administrator', async () => {
    expect(await api.ok('GET', '/users/me', { as: 'admin' })).to.include({ role: 'admin', status: 'active' });
  });
});
