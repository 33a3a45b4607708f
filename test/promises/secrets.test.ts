import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Engine } from '../../core/index.ts';
import { makeScratch, onEveryEngine, type Scratch, type TestRequest } from '../../core/testing.ts';
import { FakeGitea } from '../support/fake-gitea.ts';
import { startFakeOpenAi, type FakeOpenAi } from '../support/fake-openai.ts';
import { clientOf } from '../support/service-client.ts';
import { runCommand, startService } from '../support/service-process.ts';
import { findIn, formsOf } from './support/planted.ts';
import { rowsOf } from './support/rows.ts';

/** Each has what is escaped in URLs, where that is allowed. */
const planted = {
  JWT_SECRET: 'jWt+/planted=7Qm2ZxV9rT4bN8cL1sHd5Kf',
  SECRET_KEY: 'kEy+/planted=3Wp6YuB0eR7nM2vJ8tGa4Xs',
  SECRET_KEY_FALLBACK: 'fAl+/planted=5Gh1CzQ9wE4xV7bN0mJ3sKd',
  JWT_PRIVATE_KEY: 'pRiVaTe+/planted=8Rt2YhU6jM1kL5oPz',
  'password of Redis': 'rEdIsplanted7Uy4Tr1Ew',
  'administrator’s password': 'aDm1n planted/+pass 5Tz',
  'user’s password': 'uSeR planted/+pass 8Lk',
  'new password': 'nEw planted/+pass 2Qw',
  'wrong password': 'wRoNg planted/+pass 6Ph',
  'token of the code host': 'gItEa-planted-0Vb4Nm9Xc7',
  'key of the language model': 'sk-pLaNtEd1Zr5Dq8Ty3Ui6Op',
  'password of the database': 'dBplanted4Fg7Hj2Kl9Mn',
  'credentials of nobody': 'nObOdYplanted3Sx6Ec9Rv2Tb',
} as const;

/** Fails where nobody catches, with an error that carries what it was asked with. */
const CRASHING_PLUGIN = `
import { definePlugin, routesWith, Type } from 'vitrine';
export default definePlugin({
  id: 'crashes', version: '1.0.0', api: '^1.0', summary: 'Crashes',
  routes: [
    routesWith({})({
      method: 'GET', path: '/crashes', operationId: 'crash', summary: 'Crashes', access: 'public', answers: Type.Object({}),
      handle: () => {
        const authorization = process.env.LLM_API_KEY;
        setImmediate(() => { throw Object.assign(new Error('out'), { request: { headers: { authorization } } }); });
        return {};
      },
    }),
  ],
});
`;

/** Whatever a service wrote and answered. */
interface Traces {
  readonly answers: string;
  readonly output: string;
  readonly store: string;
}

/** Only what hands a credential to its owner holds one: the login and the creation of a key. */
interface Issued {
  token: string;
  key: string;
}

describe('planted secrets', () => {
  onEveryEngine((engine) => {
    let scratch: Scratch;
    let gitea: FakeGitea;
    let llm: FakeOpenAi;
    let traces: Traces;
    const issued: Issued = { token: '', key: '' };
    before(async function () {
      this.timeout(60_000);
      scratch = await makeScratch(engine);
      gitea = new FakeGitea();
      await gitea.start();
      gitea.addUser('robot', planted['token of the code host']);
      llm = await startFakeOpenAi('another key, so that this one is refused and echoed');
      traces = await leaveTraces(engine, { scratch, gitea, llm, issued });
    });
    after(async () => {
      await gitea.stop();
      await llm.stop();
      await scratch.remove();
    });

    for (const part of ['answers', 'output', 'store'] as const) {
      it(`are not in the ${part} of the service, in any form`, () => {
        expect(traces[part]).to.not.equal('');
        const handedOut = part === 'answers' ? {} : { 'bearer token': issued.token, 'API key': issued.key };
        expect(findIn(traces[part], formsOf({ ...planted, ...handedOut }))).to.deep.equal([]);
      });
    }

    it('reached the service: those whom it had to tell know them', () => {
      expect(llm.requests.map(({ headers }) => headers.authorization)).to.include(
        `Bearer ${planted['key of the language model']}`,
      );
      expect(JSON.stringify(gitea.requests)).to.include(planted['token of the code host']);
    });
  });

  const unfit: Readonly<Record<string, Record<string, string>>> = {
    'whose database is away': {
      DATABASE_URL: `postgres://ada:${planted['password of the database']}@127.0.0.1:1/none`,
    },
    'with the same secret twice': { JWT_SECRET: planted.JWT_SECRET, SECRET_KEY: planted.JWT_SECRET },
    'with a key that cannot be read': { JWT_ALGORITHM: 'ES256', JWT_PRIVATE_KEY: planted.JWT_PRIVATE_KEY },
    'with an address that is none': { REDIS_URL: `redis//:${planted['password of Redis']}@127.0.0.1` },
    'with a password that is too long': {
      ADMIN_PASSWORD: planted['administrator’s password'].repeat(20),
    },
  };
  for (const [what, env] of Object.entries(unfit)) {
    it(`are not in what is said by a service ${what}, which cannot start`, async () => {
      const { code, stdout, stderr } = await runCommand(['start'], env);
      expect([code === 0, stdout + stderr === '']).to.deep.equal([false, false]);
      expect(findIn(stdout + stderr, formsOf(planted))).to.deep.equal([]);
    });
  }

  it('are not in what is left by a service that crashes', async () => {
    const scratch = await makeScratch('sqlite');
    const folder = join(scratch.dataDir, 'plugins', 'crashes');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'plugin.js'), CRASHING_PLUGIN);
    const service = await startService({
      DATA_DIR: scratch.dataDir,
      PLUGINS_PATH: join(scratch.dataDir, 'plugins'),
      PLUGINS_ENABLED: 'crashes',
      JWT_SECRET: planted.JWT_SECRET,
      SECRET_KEY: planted.SECRET_KEY,
      LLM_API_KEY: planted['key of the language model'],
    });
    const ended = once(service.child, 'close');
    await clientOf(service.url).request('GET', '/crashes');
    const [code] = await ended;
    const { stdout, stderr } = service.output();
    const left = filesBelow(scratch.dataDir);
    await scratch.remove();
    expect([code, stderr.includes('Uncaught exception')]).to.deep.equal([1, true]);
    expect(findIn(stdout + stderr + left, formsOf(planted))).to.deep.equal([]);
  });

  describe('in the search for them', () => {
    const forms = formsOf({ it: 'a secret+' });
    const texts: Record<string, string> = {
      'as it is': '"a secret+"',
      'URL-encoded': '?q=a%20secret%2B',
      'in hex': Buffer.from('a secret+').toString('hex').toUpperCase(),
      'in base64': Buffer.from('a secret+').toString('base64'),
      'in base64, amid something': Buffer.from('user:a secret+!').toString('base64'),
    };
    for (const [how, text] of Object.entries(texts)) {
      it(`one is found ${how}`, () => {
        expect(findIn(`before ${text} after`, forms)).to.not.deep.equal([]);
      });
    }
  });
});

interface Stage {
  readonly scratch: Scratch;
  readonly gitea: FakeGitea;
  readonly llm: FakeOpenAi;
  readonly issued: Issued;
}

/** Uses everything that has to do with a secret, well and badly, and gathers what can be seen afterwards. */
async function leaveTraces(engine: Engine, { scratch, gitea, llm, issued }: Stage): Promise<Traces> {
  const service = await startService({
    DATA_DIR: scratch.dataDir,
    DATABASE_URL: withPassword(scratch.databaseUrl),
    SAMPLES_SEED: 'false',
    LOG_LEVEL: 'debug',
    JWT_SECRET: planted.JWT_SECRET,
    JWT_PRIVATE_KEY: planted.JWT_PRIVATE_KEY,
    SECRET_KEY: planted.SECRET_KEY,
    SECRET_KEY_FALLBACK: planted.SECRET_KEY_FALLBACK,
    REDIS_URL: withRedisPassword('redis://127.0.0.1:1'),
    ADMIN_USERNAME: 'root',
    ADMIN_PASSWORD: planted['administrator’s password'],
    LLM_BASE_URL: llm.baseUrl,
    LLM_API_KEY: planted['key of the language model'],
    LLM_MODEL: 'text-model',
  });
  const answers: string[] = [];
  const client = clientOf(service.url);
  const ask = async (method: string, path: string, more: TestRequest = {}) => {
    const answer = await client.request(method, path, more);
    answers.push(JSON.stringify([answer.headers, answer.body]));
    return answer.body;
  };
  await useAccounts(client.request, ask, issued);
  await useBackends(ask, gitea, issued.token);
  await misplaceCredentials(ask);
  await ask('GET', `${service.url}/metrics`);
  await ask('GET', `${service.url}/readyz?verbose`);
  const store = engine === 'sqlite' ? filesBelow(scratch.dataDir) : await rowsOf(scratch.databaseUrl);
  const { stdout, stderr } = await service.end();
  const after = engine === 'sqlite' ? filesBelow(scratch.dataDir) : '';
  return { answers: answers.join('\n'), output: stdout + stderr, store: store + after };
}

type Ask = ReturnType<typeof clientOf>['request'];
type AskAloud = (method: string, path: string, more?: TestRequest) => Promise<Record<string, string>>;

async function useAccounts(askQuietly: Ask, ask: AskAloud, issued: Issued): Promise<void> {
  const admin = { username: 'root', password: planted['administrator’s password'] };
  issued.token = (await askQuietly('POST', '/users/login', { body: admin })).body.access_token;
  const account = { username: 'ada', email: 'ada@example.org', password: planted['user’s password'] };
  await ask('POST', '/users/register', { body: account });
  await ask('POST', '/users/register', { body: account });
  await ask('POST', '/users/register', { body: { ...account, email: account.password } });
  await ask('POST', '/users/login', { body: { username: 'ada', password: planted['wrong password'] } });
  const token = (await askQuietly('POST', '/users/login', { body: account })).body.access_token as string;
  const old_password = account.password;
  await ask('POST', '/users/me/password', {
    token,
    body: { old_password: planted['wrong password'], new_password: planted['new password'] },
  });
  await ask('POST', '/users/me/password', {
    token,
    body: { old_password, new_password: planted['new password'] },
  });
  const again = { username: 'ada', password: planted['new password'] };
  const newToken = (await askQuietly('POST', '/users/login', { body: again })).body.access_token as string;
  const expires_at = '2100-01-01T00:00:00Z';
  const year = new Date(Date.now() + 86_400_000).toISOString();
  await ask('POST', '/api-keys', { token: newToken, body: { name: 'far', expires_at } });
  issued.key = (
    await askQuietly('POST', '/api-keys', { token: newToken, body: { name: 'near', expires_at: year } })
  ).body.key;
  await ask('GET', '/api-keys', { headers: { 'x-api-key': issued.key } });
  await ask('GET', '/api-keys', { token: newToken });
  await ask('GET', '/users/me', { token: issued.key });
  await ask('GET', '/users/me', { token });
  await ask('GET', '/users', { token: issued.token });
}

async function useBackends(ask: AskAloud, gitea: FakeGitea, token: string): Promise<void> {
  await ask('POST', '/llm/generate-data', { token, body: { prompt: 'three numbers' } });
  const access_token = planted['token of the code host'];
  const body = { server_url: gitea.url, access_token, default_owner: '', repo_prefix: 'x-' };
  await ask('POST', '/repohost/config', { token, body });
  await ask('GET', '/repohost/config', { token });
  await ask('POST', '/repohost/test', { token });
  const { id = '' } = await ask('POST', '/algorithms', {
    token,
    body: { name: 'Hosted', description: 'In a repository', type: 'demo' },
  });
  const made = { token, body: { algorithm_id: id, algorithm_name: 'Hosted', description: '' } };
  await ask('POST', '/repohost/repos/create', made);
  for (const echo of [500, 401, 422]) {
    const echoed = JSON.stringify({ message: `the token ${access_token} is no good` });
    gitea.faults.set('*', { kind: 'status', status: echo, body: echoed });
    await ask('POST', '/repohost/test', { token });
    await ask('PATCH', '/repohost/repos/update', { token, body: { algorithm_id: id, description: 'y' } });
  }
  gitea.faults.clear();
  await ask('POST', '/repohost/config', {
    token,
    body: { ...body, server_url: `http://ada:${access_token}@h` },
  });
}

/** Credentials where none belong. */
async function misplaceCredentials(ask: AskAloud): Promise<void> {
  const secret = planted['credentials of nobody'];
  await ask('GET', `/history/user-calls?access_token=${secret}`);
  await ask('GET', `/users/me?api_key=${secret}`, { token: secret });
  await ask('GET', '/users/me', { headers: { 'x-api-key': `vk_${secret}` } });
  await ask('GET', '/users/me', { headers: { cookie: `session=${secret}`, 'proxy-authorization': secret } });
  await ask('GET', '/users/me', {
    headers: { authorization: `Basic ${Buffer.from(`ada:${secret}`).toString('base64')}` },
  });
  await ask('POST', '/users/login', { body: `{"username":"ada","password":"${secret}"` });
  await ask('POST', '/users/login', { body: { username: 'ada', password: [secret] } });
}

function withPassword(databaseUrl: string): string {
  if (databaseUrl.startsWith('sqlite:')) return databaseUrl;
  const url = new URL(databaseUrl);
  url.username ||= process.env['USER'] ?? 'root';
  // A server that demands its own password would refuse this one.
  if (url.password === '') url.password = planted['password of the database'];
  return url.href;
}

function withRedisPassword(address: string): string {
  const url = new URL(address);
  url.password = planted['password of Redis'];
  return url.href;
}

function filesBelow(directory: string): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}
