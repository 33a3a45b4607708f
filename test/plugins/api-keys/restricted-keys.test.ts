import { expect } from 'chai';
import { newId } from '../../../core/index.ts';
import { onEveryEngine, type TestResponse } from '../../../core/testing.ts';
import { startUpstream, type Upstream } from '../../support/upstream.ts';
import { startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';

const LATER = '2999-01-01T00:00:00Z';

interface Made {
  readonly id: string;
  readonly version: string;
}

onEveryEngine((engine) => {
  describe('an API key that is restricted', () => {
    let vitrine: Vitrine;
    let upstream: Upstream;
    let admin: SignedIn;
    let ada: SignedIn;
    let covered: Made;
    let second: Made;
    let other: Made;
    let hidden: Made;
    let coveredCall: string;
    let otherCall: string;

    const manage = async (method: string, path: string, body: object) =>
      (await vitrine.request(method, path, { token: admin.token, body })).body;
    const algorithm = async (name: string, access = 'open'): Promise<Made> => {
      const { id } = await manage('POST', '/algorithms', { name, description: '', type: 't', access });
      const fields = { version: '1', url: upstream.url };
      return { id, version: (await manage('POST', `/algorithms/${id}/versions`, fields)).id };
    };
    const make = (restriction: object, who = ada): Promise<TestResponse> =>
      vitrine.request('POST', '/api-keys', {
        token: who.token,
        body: { name: 'k', expires_at: LATER, ...restriction },
      });
    const keyFor = async (algorithms: readonly Made[], more: object = {}, who = ada): Promise<string> =>
      (await make({ algorithms: algorithms.map(({ id }) => id), ...more }, who)).body.key;
    const send = (key: string, method: string, path: string, body?: object, headers: object = {}) =>
      vitrine.request(method, path, { headers: { 'x-api-key': key, ...headers }, ...(body ? { body } : {}) });
    const call = (key: string, { id, version }: Made, path = '/algorithms/call') =>
      send(key, 'POST', path, { algorithm_id: id, version_id: version, input_data: {} });
    const outcome = ({ status, body }: TestResponse) => [status, body.code];
    const RESTRICTED = [403, 'algorithm_not_covered'];

    before(async () => {
      upstream = await startUpstream(() => ({ ok: true }));
      vitrine = await startVitrine(engine, { settings: { server: { trust_proxy: '1' } } });
      admin = await vitrine.admin();
      ada = await vitrine.user('ada');
      [covered, second, other] = [
        await algorithm('Covered'),
        await algorithm('Second'),
        await algorithm('Other'),
      ];
      hidden = await algorithm('Hidden', 'private');
      const all = (await make({})).body.key;
      coveredCall = (await call(all, covered)).body.id;
      otherCall = (await call(all, other)).body.id;
    });
    after(async () => {
      await vitrine?.stop();
      await upstream?.stop();
    });

    describe('to algorithms', () => {
      let key: string;
      before(async () => {
        key = await keyFor([covered]);
      });

      for (const path of ['/algorithms/call', '/gateway/call']) {
        it(`calls only these by ${path}`, async () => {
          expect((await call(key, covered, path)).body.status).to.equal('success');
          const refused = await call(key, other, path);
          expect(outcome(refused)).to.deep.equal(RESTRICTED);
          expect(refused.body.detail).to.include('"Other"');
          expect(outcome(await call(key, { ...other, version: 'default' }, path))).to.deep.equal(RESTRICTED);
        });
      }

      it('cannot call them by the version of another', async () => {
        const { status } = await call(key, { id: covered.id, version: other.version });
        expect(status).to.equal(404);
      });

      it('is told by a check what it does not cover', async () => {
        const check = async (body: object) => (await send(key, 'POST', '/gateway/check', body)).body;
        expect((await check({ algorithm_id: covered.id })).allowed).to.equal(true);
        expect((await check({ algorithm_id: other.id })).code).to.equal('algorithm_not_covered');
        expect((await check({ version_id: other.version })).code).to.equal('algorithm_not_covered');
      });

      it('sees only these in lists, searches, counts and sorts', async () => {
        for (const query of [
          '',
          '?q=e',
          '?sort=-calls',
          '?stats=true',
          '?facets=true',
          '?sort=name&limit=1',
        ]) {
          const { body } = await send(key, 'GET', `/algorithms${query}`);
          expect([body.total, body.algorithms.map(({ id }: Made) => id)], query).to.deep.equal([
            1,
            [covered.id],
          ]);
          if (body.facets) expect(body.facets.types[0].count).to.equal(1);
        }
        expect((await send(key, 'GET', '/algorithms?q=other')).body.total).to.equal(0);
      });

      it('leaves the lists of others as they are', async () => {
        await send(key, 'GET', '/algorithms');
        const { body } = await vitrine.request('GET', '/algorithms', { token: ada.token });
        expect(body.algorithms.map(({ id }: Made) => id)).to.include.members([covered.id, other.id]);
      });

      it('reads only these', async () => {
        for (const part of ['', '/versions']) {
          expect((await send(key, 'GET', `/algorithms/${covered.id}${part}`)).status).to.equal(200);
          const refused = await send(key, 'GET', `/algorithms/${other.id}${part}`);
          expect(outcome(refused)).to.deep.equal(RESTRICTED);
        }
        const figures = (id: string) => send(key, 'GET', `/monitoring/performance/algorithm/${id}`);
        expect((await figures(covered.id)).status).to.equal(200);
        expect(outcome(await figures(other.id))).to.deep.equal(RESTRICTED);
      });

      it('holds without the scope to read as well', async () => {
        const calling = await keyFor([covered], { scopes: ['call'] });
        expect((await send(calling, 'GET', '/algorithms')).body.total).to.equal(1);
        expect(outcome(await send(calling, 'GET', `/algorithms/${other.id}`))).to.deep.equal(RESTRICTED);
      });

      it('does not tell a private algorithm from one that does not exist', async () => {
        for (const id of [hidden.id, newId()]) {
          expect(outcome(await send(key, 'GET', `/algorithms/${id}`))).to.deep.equal([
            404,
            'algorithm_not_found',
          ]);
          expect(outcome(await call(key, { id, version: 'default' }))).to.deep.equal([
            404,
            'algorithm_not_found',
          ]);
        }
      });

      it('covers a private algorithm only while its owner sees it', async () => {
        const grant = { algorithm_id: hidden.id, user_id: ada.id, permission_type: 'execute' };
        const { id } = await manage('POST', '/permissions/grants', grant);
        const forHidden = await keyFor([hidden]);
        expect((await send(forHidden, 'GET', '/algorithms')).body.total).to.equal(1);
        expect((await call(forHidden, hidden)).body.status).to.equal('success');
        expect(outcome(await call(key, hidden))).to.deep.equal(RESTRICTED);
        await vitrine.request('DELETE', `/permissions/grants/${id}`, { token: admin.token });
        expect((await call(forHidden, hidden)).status).to.equal(404);
        expect((await send(forHidden, 'GET', '/algorithms')).body.total).to.equal(0);
      });

      it('reads only records of their calls', async () => {
        expect((await send(key, 'GET', `/algorithms/calls/${coveredCall}`)).status).to.equal(200);
        expect(outcome(await send(key, 'GET', `/algorithms/calls/${otherCall}`))).to.deep.equal(RESTRICTED);
      });

      for (const path of ['/history/user-calls', '/history/export?format=csv']) {
        it(`finds only their calls by ${path}`, async () => {
          const { status, body } = await send(key, 'GET', path);
          const found = JSON.stringify(body);
          expect(status).to.equal(200);
          expect(found).to.include(coveredCall);
          expect(found).not.to.include(other.id);
          const asked = `${path}${path.includes('?') ? '&' : '?'}algorithm_id=`;
          expect(outcome(await send(key, 'GET', asked + other.id))).to.deep.equal(RESTRICTED);
        });
      }

      it('names one of several algorithms to see its calls', async () => {
        const forTwo = await keyFor([covered, second]);
        const refused = await send(forTwo, 'GET', '/history/user-calls');
        expect(outcome(refused)).to.deep.equal(RESTRICTED);
        expect(refused.body.detail).to.include('`algorithm_id`');
        const named = await send(forTwo, 'GET', `/history/user-calls?algorithm_id=${covered.id}`);
        expect(named.body.history[0].algorithm_id).to.equal(covered.id);
      });

      for (const [method, path, body] of [
        ['GET', '/users/me'],
        ['GET', '/history/statistics'],
        ['GET', '/history/algorithms'],
        ['GET', '/history/series'],
        ['GET', '/gateway/stats'],
        ['GET', '/monitoring/health'],
        ['GET', '/repositories'],
        ['GET', '/permissions/grants'],
        ['POST', '/llm/generate-data', { prompt: 'x' }],
      ] as const) {
        it(`is refused ${method} ${path}, which is not about single algorithms`, async () => {
          expect(outcome(await send(key, method, path, body))).to.deep.equal([403, 'insufficient_scope']);
        });
      }

      it('of an administrator manages these and no others', async () => {
        const managing = await keyFor([covered], {}, admin);
        const rename = (id: string) => send(managing, 'PUT', `/algorithms/${id}`, { description: 'new' });
        expect((await rename(covered.id)).status).to.equal(200);
        expect(outcome(await rename(other.id))).to.deep.equal(RESTRICTED);
        const created = { name: 'x', description: '', type: 't' };
        expect(outcome(await send(managing, 'POST', '/algorithms', created))).to.deep.equal([
          403,
          'insufficient_scope',
        ]);
        expect(outcome(await send(managing, 'GET', '/users'))).to.deep.equal([403, 'insufficient_scope']);
        expect((await send(managing, 'GET', '/algorithms')).body.total).to.equal(1);
      });

      it('is made and listed with these, and refused those that its owner cannot see, by name', async () => {
        const { body } = await make({ algorithms: [covered.id] });
        expect(body.algorithms).to.deep.equal([covered.id]);
        const unknown = newId();
        const refused = await make({ algorithms: [covered.id, unknown, hidden.id, 'x'] });
        expect(refused.status).to.equal(422);
        for (const id of [unknown, hidden.id]) expect(refused.body.detail).to.include(id);
        expect(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)).to.deep.equal([
          '/body/algorithms/1',
          '/body/algorithms/2',
          '/body/algorithms/3',
        ]);
      });

      it('is restricted otherwise, or not any more, after a change', async () => {
        const { id, key: secret } = (await make({ algorithms: [covered.id] })).body;
        expect(outcome(await call(secret, other))).to.deep.equal(RESTRICTED);
        const change = (algorithms: readonly string[] | null) =>
          vitrine.request('PATCH', `/api-keys/${id}`, { token: ada.token, body: { algorithms } });
        expect((await change([other.id])).body.algorithms).to.deep.equal([other.id]);
        expect((await call(secret, other)).status).to.equal(200);
        expect((await change(null)).body.algorithms).to.equal(null);
        expect((await call(secret, covered)).status).to.equal(200);
        expect((await change([newId()])).status).to.equal(422);
      });
    });

    describe('to networks', () => {
      const from = (key: string, address: string, path = '/users/me') =>
        send(key, 'GET', path, undefined, { 'x-forwarded-for': address });

      it('is accepted from these only, by the address that a trusted proxy names', async () => {
        const { body } = await make({ networks: ['192.0.2.0/24', '2001:db8::/32'] });
        expect(body.networks).to.deep.equal(['192.0.2.0/24', '2001:db8::/32']);
        for (const address of ['192.0.2.7', '2001:db8::1']) {
          expect((await from(body.key, address)).status).to.equal(200);
        }
        const refused = await from(body.key, '198.51.100.7');
        expect(outcome(refused)).to.deep.equal([403, 'api_key_elsewhere']);
        expect(refused.body.detail).to.include('198.51.100.7');
        expect(refused.body.detail).not.to.include('192.0.2');
        expect(outcome(await from(body.key, '198.51.100.7', '/algorithms'))).to.deep.equal([
          403,
          'api_key_elsewhere',
        ]);
      });

      it('names what is no network', async () => {
        const { status, body } = await make({ networks: ['192.0.2.1', '192.0.2.0/33', 'example.org'] });
        expect(status).to.equal(422);
        expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).to.deep.equal([
          '/body/networks/1',
          '/body/networks/2',
        ]);
      });

      it('is accepted from elsewhere after a change', async () => {
        const { id, key } = (await make({ networks: ['192.0.2.1'] })).body;
        expect((await from(key, '192.0.2.2')).status).to.equal(403);
        const body = { networks: null };
        await vitrine.request('PATCH', `/api-keys/${id}`, { token: ada.token, body });
        expect((await from(key, '192.0.2.2')).status).to.equal(200);
      });
    });
  });
});
