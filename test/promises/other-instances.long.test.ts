import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { makeScratch, type Scratch, type TestResponse } from '../../core/testing.ts';
import { clientOf } from '../support/service-client.ts';
import { startService, type ServiceProcess } from '../support/service-process.ts';
import { until } from '../support/until.ts';
import { startUpstream, type Upstream } from '../support/upstream.ts';

const WITHIN_MS = 2_000;
const LATER_CALLS = 200;

describe('what is taken away on one of two processes with one PostgreSQL', () => {
  let scratch: Scratch;
  let upstream: Upstream;
  let one: ServiceProcess;
  let other: ServiceProcess;
  let admin: string;
  let version: { algorithm_id: string; version_id: string };
  before(async () => {
    scratch = await makeScratch('postgres');
    upstream = await startUpstream();
    const env = { DATA_DIR: scratch.dataDir, DATABASE_URL: scratch.databaseUrl, SAMPLES_SEED: 'false' };
    one = await startService(env);
    other = await startService(env);
    admin = await clientOf(one.url).signUp('ada');
  });
  beforeEach(async () => {
    version = await addAlgorithm();
  });
  after(async () => {
    await Promise.all([one.end('SIGKILL'), other.end('SIGKILL')]);
    await upstream.stop();
    await scratch.remove();
  });

  async function addAlgorithm(): Promise<typeof version> {
    const client = clientOf(one.url);
    const { id: algorithm_id } = await client.ok('POST', '/algorithms', {
      token: admin,
      body: { name: 'Guarded', description: 'Not for everybody', type: 'demo', access: 'restricted' },
    });
    const { id: version_id } = await client.ok('POST', `/algorithms/${algorithm_id}/versions`, {
      token: admin,
      body: { version: '1', url: upstream.url },
    });
    return { algorithm_id, version_id };
  }

  let people = 0;
  /** Somebody new with a token, a key and the right to call. */
  async function somebody() {
    const client = clientOf(one.url);
    const token = await client.signUp(`person${(people += 1)}`);
    const { id } = await client.ok('GET', '/users/me', { token });
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const key = await client.ok('POST', '/api-keys', { token, body: { name: 'k', expires_at } });
    const grant = await client.ok('POST', '/permissions/grants', {
      token: admin,
      body: { algorithm_id: version.algorithm_id, user_id: id, permission_type: 'execute' },
    });
    return { id, token, key, grant };
  }

  const callOnOther = (token: string, more: object = {}): Promise<TestResponse> =>
    clientOf(other.url).request('POST', '/algorithms/call', {
      token,
      body: { ...version, input_data: {}, ...more },
    });

  /** Asks for something that is remembered there, has it changed here, and expects the new answer in time and ever after. */
  async function expectSoon<T>(
    ask: () => Promise<T>,
    { before, after }: { readonly before: T; readonly after: T },
    change: () => Promise<unknown>,
  ): Promise<void> {
    for (let n = 0; n < 3; n += 1) expect(await ask()).to.equal(before);
    await change();
    const deadline = performance.now() + WITHIN_MS;
    let answer = await ask();
    while (answer === before && performance.now() < deadline) {
      await pause(20);
      answer = await ask();
    }
    expect(answer).to.equal(after);
    const later = new Set<T>();
    for (let n = 0; n < LATER_CALLS; n += 1) later.add(await ask());
    expect([...later]).to.deep.equal([after]);
  }

  const expectRefusedSoon = (
    token: string,
    status: number,
    takeAway: () => Promise<unknown>,
  ): Promise<void> =>
    expectSoon(async () => (await callOnOther(token)).status, { before: 200, after: status }, takeAway);

  it('is refused on the other within 2 s and ever after: an API key', async () => {
    const { token, key } = await somebody();
    await expectRefusedSoon(key.key, 401, () =>
      clientOf(one.url).ok('DELETE', `/api-keys/${key.id}`, { token }),
    );
  }).timeout(30_000);

  it('is refused on the other within 2 s and ever after: a grant', async () => {
    const { token, grant } = await somebody();
    await expectRefusedSoon(token, 403, () =>
      clientOf(one.url).ok('DELETE', `/permissions/grants/${grant.id}`, { token: admin }),
    );
  }).timeout(30_000);

  for (const credential of ['token', 'API key'] as const) {
    it(`is refused on the other within 2 s and ever after: the account behind ${credential === 'token' ? 'a token' : 'an API key'}`, async () => {
      const { id, token, key } = await somebody();
      await expectRefusedSoon(credential === 'token' ? token : key.key, 401, () =>
        clientOf(one.url).ok('PATCH', `/users/${id}`, { token: admin, body: { status: 'disabled' } }),
      );
    }).timeout(30_000);
  }

  it('is refused on the other within 2 s and ever after: a token from before a new password', async () => {
    const { token } = await somebody();
    await expectRefusedSoon(token, 401, () =>
      clientOf(one.url).ok('POST', '/users/me/password', {
        token,
        body: { old_password: 'correct horse battery', new_password: 'another horse battery' },
      }),
    );
  }).timeout(30_000);

  it('is refused on the other within 2 s and ever after: a token that was signed out', async () => {
    const { token } = await somebody();
    await expectRefusedSoon(token, 401, () => clientOf(one.url).ok('POST', '/users/logout', { token }));
  }).timeout(30_000);

  const changesOfKeys: Readonly<
    Record<string, readonly [status: number, method: string, path: string, body: object]>
  > = {
    'an API key that is rotated': [401, 'POST', '/rotate', {}],
    'an API key that may no longer call': [403, 'PATCH', '', { scopes: ['read'] }],
  };
  for (const [what, [status, method, path, body]] of Object.entries(changesOfKeys)) {
    it(`is refused on the other within 2 s and ever after: ${what}`, async () => {
      const { token, key } = await somebody();
      await expectRefusedSoon(key.key, status, () =>
        clientOf(one.url).ok(method, `/api-keys/${key.id}${path}`, { token, body }),
      );
    }).timeout(30_000);
  }

  it('is refused on the other within 2 s and ever after: an API key that ended with a new password', async () => {
    const { token, key } = await somebody();
    const body = {
      old_password: 'correct horse battery',
      new_password: 'another horse battery',
      revoke_api_keys: true,
    };
    await expectRefusedSoon(key.key, 401, () =>
      clientOf(one.url).ok('POST', '/users/me/password', { token, body }),
    );
  }).timeout(30_000);

  it('is refused on the other within 2 s and ever after: somebody who is blocked', async () => {
    const { id, token } = await somebody();
    const body = { subject: 'user', value: id, reason: 'Enough.' };
    await expectRefusedSoon(token, 403, () =>
      clientOf(one.url).ok('POST', '/gateway/blocks', { token: admin, body }),
    );
  }).timeout(30_000);

  it('is refused on the other within 2 s and ever after: an algorithm that is switched off', async () => {
    const { token } = await somebody();
    await expectRefusedSoon(token, 409, () =>
      clientOf(one.url).ok('PUT', `/algorithms/${version.algorithm_id}`, {
        token: admin,
        body: { status: 'inactive' },
      }),
    );
  }).timeout(30_000);

  it('is no longer chosen on the other within 2 s and ever after: a canary that is rolled back', async () => {
    const { token } = await somebody();
    const { algorithm_id, version_id: stable } = version;
    const client = clientOf(one.url);
    const { id: canary } = await client.ok('POST', `/algorithms/${algorithm_id}/versions`, {
      token: admin,
      body: { version: '2', url: upstream.url },
    });
    const route = `/gateway/routes/${algorithm_id}`;
    const versions = [
      { version_id: stable, percent: 0 },
      { version_id: canary, percent: 100 },
    ];
    await client.ok('PUT', route, { token: admin, body: { versions } });
    const body = { algorithm_id, version_id: 'default', input_data: {} };
    const chosen = async () =>
      (await clientOf(other.url).ok('POST', '/gateway/call', { token, body })).version_id;
    // It may have known that there was no route.
    await until(async () => (await chosen()) === canary);
    await expectSoon(chosen, { before: canary, after: stable }, () =>
      client.ok('POST', `${route}/rollback`, { token: admin, body: {} }),
    );
  }).timeout(30_000);

  it('is no longer recorded on the other within 2 s and ever after: an input that a policy drops', async () => {
    const { token } = await somebody();
    const recorded = async () => {
      const { id } = (await callOnOther(token, { input_data: { name: 'Ada' } })).body;
      const { input_data } = await clientOf(other.url).ok('GET', `/algorithms/calls/${id}`, { token });
      return JSON.stringify(input_data);
    };
    const policy = `/algorithms/${version.algorithm_id}/payload-policy`;
    await expectSoon(recorded, { before: '{"name":"Ada"}', after: 'null' }, () =>
      clientOf(one.url).ok('PUT', policy, { token: admin, body: { input_data: { mode: 'drop' } } }),
    );
  }).timeout(30_000);
});
