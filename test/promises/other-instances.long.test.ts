import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { makeScratch, type Scratch, type TestResponse } from '../../core/testing.ts';
import { clientOf } from '../support/service-client.ts';
import { startService, type ServiceProcess } from '../support/service-process.ts';
import { startUpstream, type Upstream } from '../support/upstream.ts';

const WITHIN_MS = 2_000;
const LATER_CALLS = 200;

describe('what an administrator takes away on one of two processes with one PostgreSQL', () => {
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

  const callOnOther = (token: string): Promise<TestResponse> =>
    clientOf(other.url).request('POST', '/algorithms/call', {
      token,
      body: { ...version, input_data: {} },
    });

  /** Calls with something that is remembered there, has it taken away here, and expects that it is refused in time. */
  async function expectRefusedSoon(
    token: string,
    status: number,
    takeAway: () => Promise<unknown>,
  ): Promise<void> {
    for (let n = 0; n < 3; n += 1) expect((await callOnOther(token)).status).to.equal(200);
    await takeAway();
    const deadline = performance.now() + WITHIN_MS;
    let answer = await callOnOther(token);
    while (answer.status === 200 && performance.now() < deadline) {
      await pause(20);
      answer = await callOnOther(token);
    }
    expect(answer.status).to.equal(status);
    const later = new Set<number>();
    for (let n = 0; n < LATER_CALLS; n += 1) later.add((await callOnOther(token)).status);
    expect([...later]).to.deep.equal([status]);
  }

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
});
