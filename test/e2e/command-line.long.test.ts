import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { KERNEL_COMMANDS } from '../../core/kernel/definition-check.ts';
import { makeScratch, onEveryEngine, type Scratch } from '../../core/testing.ts';
import { clientOf } from '../support/service-client.ts';
import { builtCommand, ENDS_WITHIN_MS, runCommand, startService } from '../support/service-process.ts';

const COMMANDS = [
  'start',
  'backup',
  'restore',
  'move',
  'migrate status',
  'migrate up',
  'plugins list',
  'plugins hash',
  'plugins new',
  'plugins check',
  'jobs list',
  'jobs run',
  'config check',
  'config print',
  'doctor',
  'create-admin',
  'users list',
  'users create',
  'users show',
  'users disable',
  'users enable',
  'users reset-password',
  'users make-admin',
  'users delete',
  'export',
  'import',
  'openapi',
];

/** One after the other, in a test. */
const MOST_COMMANDS = 4;

describe('the vitrine command', function () {
  this.timeout(MOST_COMMANDS * ENDS_WITHIN_MS);
  let scratch: Scratch;
  const run = (command: string, env: Record<string, string> = {}) =>
    runCommand(command.split(' '), { DATA_DIR: scratch.dataDir, DATABASE_URL: scratch.databaseUrl, ...env });

  before(async () => {
    scratch = await makeScratch('sqlite');
  });

  after(() => scratch.remove());

  it('lists its commands', async () => {
    const { code, stdout } = await run('--help');
    expect(code).to.equal(0);
    for (const command of COMMANDS) expect(stdout).to.include(command.split(' ')[0]);
    const listed = [...stdout.matchAll(/^ {2}([a-z-]+)(?:\|([a-z-]+))? /gm)].flatMap(([, name, alias]) =>
      alias === undefined ? [name] : [name, alias],
    );
    expect(listed, 'plugins may not take those of the kernel').to.have.members([
      ...KERNEL_COMMANDS,
      'create-admin',
      'users',
      'export',
      'import',
    ]);
  });

  for (const command of COMMANDS) {
    it(`explains ${command}`, async () => {
      const { code, stdout } = await run(`${command} --help`);
      expect(code).to.equal(0);
      expect(stdout).to.include(`Usage: vitrine ${command}`);
    });
  }

  it('is a program of its own, as npx runs it in a clone', async () => {
    const { stdout } = await promisify(execFile)(builtCommand, ['--version']);
    expect(stdout).to.match(/^\d+\.\d+\.\d+/);
  });

  it('answers 2 to a command or option that it does not know', async () => {
    const answers = await Promise.all([run('dance'), run('plugins list --loudly'), run('users show')]);
    expect(answers.map(({ code }) => code)).to.deep.equal([2, 2, 2]);
  });

  it('lists plugins for people and for machines', async () => {
    const [people, machines] = await Promise.all([
      run('plugins list'),
      run('plugins list --json', { PLUGINS_DISABLED: 'llm' }),
    ]);
    expect(people.stdout).to.match(/^catalogue +\d+\.\d+\.\d+ +on +built-in/m);
    const plugins = JSON.parse(machines.stdout) as {
      id: string;
      enabled: boolean;
    }[];
    expect(plugins.filter(({ enabled }) => !enabled).map(({ id }) => id)).to.deep.equal(['llm']);
  });

  it('prints the effective settings with their source, and no secret', async () => {
    const env = { JWT_SECRET: 'a-signing-secret-of-more-than-32-bytes', GATEWAY_RATE_LIMIT: '7' };
    const { stdout } = await run('config print', env);
    expect(stdout).to.match(/gateway\.rate_limit +7 +GATEWAY_RATE_LIMIT/);
    expect(stdout).to.match(/jwt\.secret/);
    expect(stdout).not.to.include(env.JWT_SECRET);
  });

  it('counts the settings that are not at their default', async () => {
    const { stdout } = await run('config check --json', { GATEWAY_RATE_LIMIT: '7' });
    expect(JSON.parse(stdout).changed).to.deep.equal([
      'database.url',
      'data.dir',
      'log.level',
      'gateway.rate_limit',
    ]);
  });

  it('prints an OpenAPI 3.1 document without opening anything', async () => {
    const { stdout } = await run('openapi', { DATABASE_URL: 'postgres://127.0.0.1:1/nowhere' });
    expect(JSON.parse(stdout)).to.have.property('openapi').that.matches(/^3\.1/);
  });

  it('ends well when its reader leaves before the end', async () => {
    const script = '("$0" "$1" openapi; echo "ended with $?" >&2) | head -c 100';
    const { stderr } = await promisify(execFile)('sh', ['-c', script, process.execPath, builtCommand], {
      env: { PATH: process.env['PATH'], DATA_DIR: scratch.dataDir },
      timeout: ENDS_WITHIN_MS,
    });
    expect(stderr).to.equal('ended with 0\n');
  });

  it('reports every fault of the settings at once, with file, line, expectation and environment name', async () => {
    const file = join(scratch.dataDir, 'own.yaml');
    writeFileSync(file, 'server:\n  prot: 80\ngateway:\n  rate_limit: lots\nbanana: {}\n');
    const { code, stderr } = await run('config check', { VITRINE_CONFIG: file, PORT: 'eighty' });
    expect(code).to.equal(1);
    for (const part of [
      `${file}:2`,
      'prot',
      `${file}:4`,
      'GATEWAY_RATE_LIMIT',
      `${file}:5`,
      'banana',
      'PORT',
      'eighty',
    ]) {
      expect(stderr).to.include(part);
    }
  });

  it('reports each fault of the settings on its own to programs, with secrets masked', async () => {
    const file = join(scratch.dataDir, 'faulty.yaml');
    writeFileSync(file, 'gateway:\n  rate_limit: lots\n');
    const env = { VITRINE_CONFIG: file, JWT_SECRET: 'short-and-secret', SERVER_PROT: '80' };
    const { code, stdout } = await run('config check --json', env);
    const { ok, faults } = JSON.parse(stdout) as { ok: boolean; faults: object[] };
    expect(code).to.equal(1);
    expect(ok).to.equal(false);
    expect(faults).to.have.length(3);
    expect(faults[0]).to.include({
      setting: 'gateway.rate_limit',
      env: 'GATEWAY_RATE_LIMIT',
      file,
      line: 2,
      value: 'lots',
    });
    expect(faults[1]).to.include({ setting: 'jwt.secret', env: 'JWT_SECRET', value: '********' });
    expect(faults[2]).to.include({ setting: 'server.port', env: 'SERVER_PROT' });
  });

  it('reports in the same breath what only the owners of settings find, and plugins that are amiss', async () => {
    const { code, stderr } = await run('config check', {
      PORT: 'eighty',
      TRUST_PROXY: '10.0.0.0/99',
      EGRESS_ALLOW: 'models.lan,a b',
      JWT_SECRET: 'short-and-secret',
      DATABASE_URL: 'ann:hunter2@db/x',
      ADMIN_USERNAME: 'root',
      LLM_BASE_URL: 'localhost:11434',
      PLUGINS_DISABLED: 'catalog,invocation',
      PLUGINS_PACKAGES: 'gone',
      USERS_REGISTRATON: 'false',
    });
    expect(code).to.equal(1);
    for (const part of [
      '"eighty"',
      '"10.0.0.0/99"',
      '"a b"',
      'JWT_SECRET',
      'DATABASE_URL',
      'ADMIN_PASSWORD',
      'LLM_BASE_URL',
      'LLM_MODEL',
      'did you mean "catalogue"?',
      'requires "invocation", which is switched off',
      'npm install gone',
      'did you mean USERS_REGISTRATION?',
    ]) {
      expect(
        stderr.split('\n').filter((line) => line.includes(part)),
        part,
      ).not.to.be.empty;
    }
    expect(stderr).not.to.match(/short-and-secret|hunter2/);
  });

  it('reports variables that look like settings, which do not keep the service from starting', async () => {
    const env = { USERS_REGISTRATON: 'false' };
    expect((await run('config check', env)).code).to.equal(1);
    expect((await run('config print', env)).code).to.equal(0);
  });

  onEveryEngine((engine) => {
    it('applies migrations, and tells which are pending', async () => {
      const own = await makeScratch(engine);
      const env = { DATA_DIR: own.dataDir, DATABASE_URL: own.databaseUrl };
      try {
        const states = async () =>
          JSON.parse((await run('migrate status --json', env)).stdout) as {
            applied: string[];
            pending: string[];
          }[];
        expect((await states()).flatMap(({ applied }) => applied)).to.deep.equal([]);
        expect((await run('migrate up', env)).code).to.equal(0);
        const [after, again] = await Promise.all([states(), run('migrate up', env)]);
        expect(after.flatMap(({ pending }) => pending)).to.deep.equal([]);
        expect(after.flatMap(({ applied }) => applied)).not.to.be.empty;
        expect(again.stdout).to.include('up to date');
      } finally {
        await own.remove();
      }
    });

    it('creates an administrator who can sign in', async () => {
      const own = await makeScratch(engine);
      const env = { DATA_DIR: own.dataDir, DATABASE_URL: own.databaseUrl };
      try {
        const made = await run(
          'create-admin --username root --email root@example.org --password long-enough-1 --json',
          env,
        );
        expect(made.code, made.stderr).to.equal(0);
        expect(made.stderr, 'nothing of a start').not.to.match(/Opened the database|ready|stopped/);
        const service = await startService(env);
        const client = clientOf(service.url);
        const { access_token: token } = await client.ok('POST', '/users/login', {
          body: { username: 'root', password: 'long-enough-1' },
        });
        expect(await client.ok('GET', '/users/me', { token })).to.include({
          username: 'root',
          role: 'admin',
        });
        await service.end();
        expect(
          (await run('create-admin --username ROOT --email other@example.org --password long-enough-1', env))
            .code,
        ).to.equal(1);
      } finally {
        await own.remove();
      }
    });
  });

  describe('stops the start with one clear paragraph and exit code 1 for', () => {
    const refused = async (env: Record<string, string>, ...words: string[]): Promise<void> => {
      const { code, stdout, stderr } = await run('start', { PORT: '0', ...env });
      expect(code, stdout + stderr).to.equal(1);
      for (const word of words) expect(stderr).to.include(word);
      expect(stderr, 'no stack trace').not.to.match(/\n\s+at .+:\d+:\d+/);
    };

    it('a required plugin that is switched off', () =>
      refused({ PLUGINS_DISABLED: 'catalogue' }, '"catalogue"', 'is switched off', '→'));
    it('a plugin id that nobody has', () =>
      refused({ PLUGINS_DISABLED: 'catalog' }, '"catalog"', 'PLUGINS_DISABLED'));
    it('an unreachable database', () =>
      refused({ DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1/nowhere' }, 'DATABASE_URL', '127.0.0.1'));
    it('a database of an unknown kind', () =>
      refused({ DATABASE_URL: 'mysql://localhost/x' }, 'DATABASE_URL', 'mysql'));
    it('settings that cannot be read', () =>
      refused({ VITRINE_CONFIG: '/nowhere/own.yaml' }, '/nowhere/own.yaml'));
    it('a signing secret that is too short', () => refused({ JWT_SECRET: 'short' }, 'JWT_SECRET', '32'));
    it('a data directory that cannot be made', () => refused({ DATA_DIR: '/dev/null/data' }, 'DATA_DIR'));

    it('a migration that fails half-way, which leaves nothing behind', async () => {
      const folder = join(scratch.dataDir, 'plugins', 'broken');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      writeFileSync(join(folder, 'plugin.js'), BROKEN_PLUGIN);
      const env = { PLUGINS_PATH: join(scratch.dataDir, 'plugins'), PLUGINS_ENABLED: 'broken' };
      await refused(env, 'broken', '0001_half', 'no such luck');
      await refused(env, 'broken', '0001_half', 'no such luck');
    });
  });
});

const BROKEN_PLUGIN = `
import { definePlugin } from 'vitrine';
export default definePlugin({
  id: 'broken', version: '1.0.0', api: '^1.0', summary: 'Its migration fails half-way',
  migrations: [{ name: '0001_half', up: async (trx) => {
    await trx.schema.createTable('broken_things', (table) => { table.text('id').primary(); });
    throw new Error('no such luck');
  } }],
});
`;
