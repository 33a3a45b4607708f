import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Transaction } from '../../core/index.ts';
import { makeScratch, type Scratch } from '../../core/testing.ts';
import { openAt } from '../core/persistence/support.ts';
import { clientOf } from '../support/service-client.ts';
import { ENDS_WITHIN_MS, runCommand, startService, type ServiceProcess } from '../support/service-process.ts';

const WITHIN_MS = 2_000;
const LATER_REQUESTS = 50;

describe('what another process changes in the SQLite file of a running service', () => {
  let scratch: Scratch;
  let env: Record<string, string>;
  let service: ServiceProcess;
  beforeEach(async () => {
    scratch = await makeScratch('sqlite');
    env = { DATA_DIR: scratch.dataDir, DATABASE_URL: scratch.databaseUrl, SAMPLES_SEED: 'false' };
    service = await startService(env);
    await clientOf(service.url).signUp('ada');
  });
  afterEach(async () => {
    await service.end('SIGKILL');
    await scratch.remove();
  });

  async function elsewhere(work: (trx: Transaction) => Promise<unknown>): Promise<void> {
    const database = await openAt(scratch.databaseUrl);
    try {
      await database.transaction(work);
    } finally {
      await database.close();
    }
  }

  async function somebody(name: string) {
    const client = clientOf(service.url);
    const token = await client.signUp(name);
    const { id } = await client.ok('GET', '/users/me', { token });
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const { key } = await client.ok('POST', '/api-keys', { token, body: { name: 'k', expires_at } });
    return { id: id as string, token, key: key as string };
  }

  const statusFor = async (token: string): Promise<number> =>
    (await clientOf(service.url).request('GET', '/users/me', { token })).status;

  async function expectRefusedSoon(token: string, takeAway: () => Promise<unknown>): Promise<void> {
    // What was made just now is forgotten once by itself; it must be remembered when it is taken away.
    await pause(1_100);
    for (let n = 0; n < 3; n += 1) expect(await statusFor(token)).to.equal(200);
    await takeAway();
    const deadline = performance.now() + WITHIN_MS;
    while ((await statusFor(token)) === 200 && performance.now() < deadline) await pause(20);
    const later = new Set<number>();
    for (let n = 0; n < LATER_REQUESTS; n += 1) later.add(await statusFor(token));
    expect([...later]).to.deep.equal([401]);
  }

  it('is refused within 2 s and ever after: an API key', async () => {
    const { id, key } = await somebody('keyholder');
    await expectRefusedSoon(key, () =>
      elsewhere((trx) => trx('api_keys_keys').where({ user_id: id }).update({ revoked_at: '2026-01-01' })),
    );
  }).timeout(30_000);

  for (const credential of ['token', 'key'] as const) {
    it(`is refused within 2 s and ever after: the account behind a ${credential}`, async () => {
      const { id, ...credentials } = await somebody(`former-${credential}`);
      await expectRefusedSoon(credentials[credential], () =>
        elsewhere((trx) => trx('users_users').where({ id }).update({ status: 'disabled' })),
      );
    }).timeout(30_000);
  }

  it('holds for the commands: an administrator made by one signs in, and the service goes on', async () => {
    const password = 'another horse battery';
    const options = ['--username', 'grace', '--email', 'grace@example.org', '--password', password];
    const made = await runCommand(['create-admin', ...options], env);
    expect(made.code, made.stderr).to.equal(0);
    expect((await runCommand(['migrate', 'up'], env)).code).to.equal(0);
    const body = { username: 'grace', password };
    const { access_token: token } = await clientOf(service.url).ok('POST', '/users/login', { body });
    expect((await clientOf(service.url).ok('GET', '/users/me', { token })).role).to.equal('admin');
  }).timeout(3 * ENDS_WITHIN_MS);
});
