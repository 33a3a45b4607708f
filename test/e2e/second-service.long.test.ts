import { createServer, type AddressInfo } from 'node:net';
import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { makeScratch, type Scratch } from '../../core/testing.ts';
import { clientOf } from '../support/service-client.ts';
import { runCommand, startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';

describe('a second service', () => {
  let scratch: Scratch;
  let env: Record<string, string>;
  beforeEach(async () => {
    scratch = await makeScratch('sqlite');
    env = { DATA_DIR: scratch.dataDir, DATABASE_URL: scratch.databaseUrl, SAMPLES_SEED: 'false' };
  });
  afterEach(() => scratch.remove());

  it('on one SQLite database does not start while the first serves, and does when that was killed', async () => {
    const first = await startService(env);
    const second = await runCommand(['start'], { ...env, PORT: '0' });
    expect(second.code).to.equal(1);
    expect(second.stderr).to.match(/^\nAnother process serves the database .*DATA_DIR.*\n$/);
    await first.end('SIGKILL');
    const third = await startService(env);
    expect((await third.end()).code).to.equal(0);
  }).timeout(60_000);

  it('does not keep commands from working beside it', async () => {
    const service = await startService(env);
    const account = ['--username', 'root', '--email', 'root@example.org', '--password', 'long-enough-1'];
    const commands = [
      ['create-admin', ...account],
      ['migrate', 'status'],
      ['jobs', 'list'],
    ];
    const codes = [];
    for (const args of commands) codes.push((await runCommand(args, env)).code);
    await service.end();
    expect(codes).to.deep.equal([0, 0, 0]);
  }).timeout(90_000);

  it('learns from commands what changed: a password that was reset ends the sessions of before', async () => {
    const service = await startService(env);
    const client = clientOf(service.url);
    const token = await client.signUp('grace');
    const made = await runCommand(['users', 'reset-password', 'grace', '--json'], env);
    expect(made.code, made.stderr).to.equal(0);
    const { password } = JSON.parse(made.stdout) as { password: string };
    const login = { body: { username: 'grace', password } };
    const { access_token: fresh } = await client.ok('POST', '/users/login', login);
    expect((await client.ok('GET', '/users/me', { token: fresh })).username).to.equal('grace');
    await until(async () => (await client.request('GET', '/users/me', { token })).status === 401, 5_000);
    const unknown = await runCommand(['users', 'show', 'nobody', '--json'], env);
    expect([unknown.code, JSON.parse(unknown.stderr)]).to.deep.equal([
      1,
      { error: 'No account has the name "nobody".' },
    ]);
    await service.end();
  }).timeout(90_000);

  it('on a taken port makes nothing before it says so', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await runCommand(['start'], { ...env, HOST: '127.0.0.1', PORT: String(port) });
    other.close();
    expect(code).to.equal(1);
    expect(stderr).to.contain(`cannot listen on 127.0.0.1 port ${port}: the port is in use`);
    expect(readdirSync(scratch.dataDir)).to.deep.equal([]);
  }).timeout(60_000);
});
