import { expect } from 'chai';
import { conformance, DATE_TIME, ID, UNKNOWN_ID } from './support/api.ts';

const LATER = '2999-12-31T23:59:59.000Z';

conformance('API keys', (api) => {
  const make = (as: string, fields: object = {}) =>
    api.ok('POST', '/api-keys', { as, body: { name: 'laptop', expires_at: LATER, ...fields } });

  describe('POST /api-keys', () => {
    it('answers the key, whole this once', async () => {
      const made = await make('ann');
      expect(made).to.include({ name: 'laptop', expires_at: LATER, status: 'active', last_used_at: null });
      expect(made.user_id).to.equal((await api.person('ann')).id);
      expect(made.id).to.match(ID);
      expect(made.created_at).to.match(DATE_TIME);
      expect(made.key).to.match(/^vk_[0-9A-Za-z]{43,}$/);
    });

    it('takes a date with an offset, and answers it in UTC', async () => {
      const { expires_at } = await make('ann', { expires_at: '2999-06-01T12:00:00+02:00' });
      expect(expires_at).to.equal('2999-06-01T10:00:00.000Z');
    });

    for (const expires_at of ['2999-06-01T12:00:00', '2999-06-01T12:00:00.000123', '2999-06-01T12:00Z']) {
      it(`takes ${expires_at}, which is UTC as it names no zone`, async () => {
        expect((await make('ann', { expires_at })).expires_at).to.equal('2999-06-01T12:00:00.000Z');
      });
    }

    it('names what is missing', async () => {
      const pointers = await api.pointers('POST', '/api-keys', { as: 'ann', body: {} });
      expect(pointers).to.have.members(['/body/name', '/body/expires_at']);
    });

    for (const expires_at of [
      '2001-01-01T00:00:00Z',
      'tomorrow',
      '',
      4102444800,
      null,
      '2999-02-30T00:00:00Z',
    ]) {
      it(`refuses ${JSON.stringify(expires_at)} as the end of its life`, async () => {
        const ask = { as: 'ann', body: { name: 'laptop', expires_at } };
        expect(await api.pointers('POST', '/api-keys', ask)).to.deep.equal(['/body/expires_at']);
      });
    }

    it('belongs to the caller, even if the request names another owner', async () => {
      const { id } = await api.person('ben');
      expect((await make('ann', { user_id: id, status: 'revoked', key: 'mine' })).user_id).to.not.equal(id);
    });
  });

  describe('a key that is sent from elsewhere', () => {
    for (const [method, path] of [
      ['GET', '/algorithms'],
      ['GET', '/users/me'],
      ['GET', '/users/me/sessions'],
      ['GET', '/users'],
      ['POST', '/algorithms/call'],
      ['DELETE', `/algorithms/${UNKNOWN_ID}`],
    ] as const) {
      it(`is refused as the document says: ${method} ${path}`, async () => {
        const { key } = await make('ann', { networks: ['203.0.113.0/24'] });
        const { code } = await api.refused(403, method, path, { token: key });
        expect(code).to.equal('api_key_elsewhere');
      });
    }
  });

  describe('GET /api-keys', () => {
    it("answers an array of the caller's own keys, newest first, each key masked", async () => {
      const older = await make('cid');
      const newer = await make('cid');
      await make('ann');
      const list = await api.ok('GET', '/api-keys', { as: 'cid' });
      expect(list.map((one: { id: string }) => one.id)).to.deep.equal([newer.id, older.id]);
      expect(list[1]).to.deep.equal({ ...older, key: `${older.key.slice(0, 7)}…${older.key.slice(-4)}` });
    });

    it('is empty for an account without keys', async () => {
      expect(await api.ok('GET', '/api-keys', { as: 'dan' })).to.deep.equal([]);
    });
  });

  describe('a key', () => {
    it('acts as its owner, in either header', async () => {
      const { key } = await make('ann');
      for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }]) {
        expect(await api.ok('GET', '/users/me', { headers })).to.include({ username: 'ann' });
      }
    });

    it('calls algorithms for its owner', async () => {
      const { key, user_id } = await make('ann');
      const ask = { headers: { 'x-api-key': key as string }, body: await api.callable() };
      expect(await api.ok('POST', '/algorithms/call', ask)).to.include({ user_id });
    });

    it('cannot manage keys', async () => {
      const { key, id } = await make('ann');
      const headers = { 'x-api-key': key as string };
      await api.refused(403, 'GET', '/api-keys', { headers });
      await api.refused(403, 'POST', '/api-keys', { headers, body: { name: 'x', expires_at: LATER } });
      await api.refused(403, 'DELETE', `/api-keys/${id}`, { headers });
    });

    for (const key of ['vk_', 'vk_0000000000000000000000000000000000000000000000000', 'nonsense']) {
      it(`that is ${key} is refused`, () =>
        api.refused(401, 'GET', '/users/me', { headers: { 'x-api-key': key } }));
    }
  });

  describe('DELETE /api-keys/{key_id}', () => {
    it('answers a message, and the key stops working at once', async () => {
      const { id, key } = await make('ann');
      const headers = { 'x-api-key': key as string };
      await api.ok('GET', '/users/me', { headers });
      expect(await api.ok('DELETE', `/api-keys/${id}`, { as: 'ann' })).to.have.keys('message');
      await api.refused(401, 'GET', '/users/me', { headers });
    });

    it('knows only keys of the caller', async () => {
      const { id } = await make('ann');
      await api.refused(404, 'DELETE', `/api-keys/${id}`, { as: 'ben' });
      await api.refused(404, 'DELETE', `/api-keys/${UNKNOWN_ID}`, { as: 'ann' });
      await api.refused(404, 'DELETE', '/api-keys/nonsense', { as: 'ann' });
    });
  });

  it('needs a token', async () => {
    await api.refused(401, 'GET', '/api-keys');
    await api.refused(401, 'POST', '/api-keys', { body: { name: 'x', expires_at: LATER } });
    await api.refused(401, 'DELETE', `/api-keys/${UNKNOWN_ID}`);
  });
});
