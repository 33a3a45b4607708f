import { expect } from 'chai';
import { onEveryEngine } from '../../core/testing.ts';
import { startUpstream, type Upstream } from '../support/upstream.ts';
import { startVitrine, type SignedIn, type Vitrine } from '../support/vitrine.ts';

/** Who may pass; where anybody may, credentials are not even looked at. Everybody else who is signed in gets 403; nobody gets past with bad credentials. */
type Rule = 'anonymous' | 'public' | 'user' | 'account' | 'manager' | 'admin';
type Caller =
  'nobody' | 'forged' | 'disabled' | 'user' | 'user key' | 'manager' | 'manager key' | 'admin' | 'admin key';

const CALLERS: readonly Caller[] = [
  'nobody',
  'forged',
  'disabled',
  'user',
  'user key',
  'manager',
  'manager key',
  'admin',
  'admin key',
];

interface Row {
  readonly operation: string;
  readonly rule: Rule;
  readonly body?: (world: World, caller: Caller) => unknown;
  /** Fills the path's parameters with something that exists for this very cell. */
  readonly path?: (world: World, caller: Caller) => Promise<Record<string, string>>;
}

const later = '2099-01-01T00:00:00Z';
const anAlgorithm = (world: World) => async () => ({ algorithm_id: await world.newAlgorithm() });
const theVersion = (world: World) => ({ algorithm_id: world.algorithm, version_id: world.version });
const call = (world: World) => ({ ...theVersion(world), input_data: { n: 1 } });
let count = 0;
const unique = (): string => `x${(count += 1)}`;

const TABLE: readonly Row[] = [
  { operation: 'GET /algorithms', rule: 'public' },
  {
    operation: 'POST /algorithms',
    rule: 'admin',
    body: () => ({ name: unique(), description: 'd', type: 't' }),
  },
  { operation: 'GET /algorithms/{algorithm_id}', rule: 'public', path: async (world) => theVersion(world) },
  {
    operation: 'PUT /algorithms/{algorithm_id}',
    rule: 'manager',
    path: async (world) => theVersion(world),
    body: () => ({ description: unique() }),
  },
  { operation: 'DELETE /algorithms/{algorithm_id}', rule: 'manager', path: (world) => anAlgorithm(world)() },
  {
    operation: 'GET /algorithms/{algorithm_id}/versions',
    rule: 'public',
    path: async (world) => theVersion(world),
  },
  {
    operation: 'POST /algorithms/{algorithm_id}/versions',
    rule: 'manager',
    path: async (world) => theVersion(world),
    body: (world) => ({ version: unique(), url: world.upstream.url }),
  },
  {
    operation: 'GET /algorithms/{algorithm_id}/versions/{version_id}',
    rule: 'public',
    path: async (world) => theVersion(world),
  },
  {
    operation: 'PUT /algorithms/{algorithm_id}/versions/{version_id}',
    rule: 'manager',
    path: async (world) => theVersion(world),
    body: (world) => ({ url: world.upstream.url }),
  },
  {
    operation: 'DELETE /algorithms/{algorithm_id}/versions/{version_id}',
    rule: 'manager',
    path: async (world) => ({ algorithm_id: world.algorithm, version_id: await world.newVersion() }),
  },
  { operation: 'POST /algorithms/call', rule: 'user', body: call },
  {
    operation: 'GET /algorithms/calls/{call_id}',
    rule: 'user',
    path: async (world, caller) => ({ call_id: await world.callOf(caller) }),
  },
  { operation: 'POST /gateway/call', rule: 'user', body: call },
  { operation: 'GET /gateway/stats', rule: 'user' },
  {
    operation: 'POST /users/register',
    rule: 'anonymous',
    body: () => {
      const username = unique();
      return { username: `${username}-name`, email: `${username}@example.org`, password: 'long enough 1' };
    },
  },
  {
    operation: 'POST /users/login',
    rule: 'anonymous',
    body: () => ({ username: 'admin', password: PASSWORD }),
  },
  { operation: 'GET /users/me', rule: 'user' },
  { operation: 'GET /api-keys', rule: 'account' },
  { operation: 'POST /api-keys', rule: 'account', body: () => ({ name: unique(), expires_at: later }) },
  {
    operation: 'DELETE /api-keys/{key_id}',
    rule: 'account',
    path: async (world, caller) => ({ key_id: await world.keyOf(caller) }),
  },
  { operation: 'POST /llm/generate-data', rule: 'user', body: () => ({ prompt: 'three numbers' }) },
  {
    operation: 'POST /llm/describe-image',
    rule: 'user',
    body: (world) => ({ image_url: `${world.upstream.url}/x.png` }),
  },
  { operation: 'GET /history/user-calls', rule: 'user' },
  { operation: 'GET /history/statistics', rule: 'user' },
  { operation: 'GET /monitoring/health', rule: 'user' },
  {
    operation: 'GET /monitoring/performance/algorithm/{algorithm_id}',
    rule: 'user',
    path: async (world) => theVersion(world),
  },
  { operation: 'GET /health', rule: 'anonymous' },
  {
    operation: 'POST /permissions/check',
    rule: 'user',
    body: (world) => ({ algorithm_id: world.algorithm, permission_type: 'execute' }),
  },
  { operation: 'GET /repositories', rule: 'user' },
  {
    operation: 'GET /repositories/{repo_id}',
    rule: 'user',
    path: async (world) => ({ repo_id: await world.newRepository() }),
  },
  { operation: 'POST /repositories', rule: 'admin', body: () => ({ name: unique() }) },
  {
    operation: 'PUT /repositories/{repo_id}',
    rule: 'admin',
    path: async (world) => ({ repo_id: await world.newRepository() }),
    body: () => ({ description: unique() }),
  },
  {
    operation: 'DELETE /repositories/{repo_id}',
    rule: 'admin',
    path: async (world) => ({ repo_id: await world.newRepository() }),
  },
  { operation: 'GET /repohost/config', rule: 'admin' },
  {
    operation: 'POST /repohost/config',
    rule: 'admin',
    body: (world) => ({
      server_url: world.upstream.url,
      access_token: '',
      default_owner: '',
      repo_prefix: 'a-',
    }),
  },
  {
    operation: 'POST /repohost/repos/create',
    rule: 'admin',
    body: (world) => ({ algorithm_id: world.algorithm, algorithm_name: 'A', description: 'd' }),
  },
  {
    operation: 'PATCH /repohost/repos/update',
    rule: 'admin',
    body: (world) => ({ algorithm_id: world.algorithm, description: 'd', private: true }),
  },
];

const PASSWORD = 'correct horse battery';

function expected(rule: Rule, caller: Caller): 'through' | 401 | 403 {
  if (rule === 'anonymous') return 'through';
  if (caller === 'forged' || caller === 'disabled') return 401;
  if (rule === 'public') return 'through';
  if (caller === 'nobody') return 401;
  const isAdmin = caller.startsWith('admin');
  const byKey = caller.endsWith('key');
  if (rule === 'user') return 'through';
  if (rule === 'account') return byKey ? 403 : 'through';
  if (rule === 'manager') return isAdmin || caller.startsWith('manager') ? 'through' : 403;
  return isAdmin ? 'through' : 403;
}

/** A populated installation with every kind of caller in it. */
interface World {
  readonly vitrine: Vitrine;
  readonly upstream: Upstream;
  readonly algorithm: string;
  readonly version: string;
  headersOf(caller: Caller): Record<string, string>;
  newAlgorithm(): Promise<string>;
  newVersion(): Promise<string>;
  newRepository(): Promise<string>;
  callOf(caller: Caller): Promise<string>;
  keyOf(caller: Caller): Promise<string>;
}

async function populate(vitrine: Vitrine, upstream: Upstream): Promise<World> {
  const people: Record<string, SignedIn> = {
    admin: await vitrine.admin(),
    user: await vitrine.user('ursula'),
    manager: await vitrine.user('manfred'),
    disabled: await vitrine.user('dorothy'),
  };
  const admin = people['admin']!;
  const make = async (path: string, body: unknown, as = admin): Promise<Record<string, string>> => {
    const answer = await vitrine.request('POST', path, { body, token: as.token });
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).to.equal(200);
    return answer.body as Record<string, string>;
  };
  const newAlgorithm = async (): Promise<string> => {
    const { id } = await make('/algorithms', { name: unique(), description: 'd', type: 't' });
    await make('/permissions/grants', {
      algorithm_id: id,
      user_id: people['manager']!.id,
      permission_type: 'manage',
    });
    return id!;
  };
  const algorithm = await newAlgorithm();
  const newVersion = async (): Promise<string> =>
    (await make(`/algorithms/${algorithm}/versions`, { version: unique(), url: upstream.url }))['id']!;
  const version = await newVersion();
  const keys: Record<string, string> = {};
  for (const name of ['user', 'manager', 'admin']) {
    keys[name] = (await make('/api-keys', { name: 'k', expires_at: later }, people[name]))['key']!;
  }
  const disabling = { token: admin.token, body: { status: 'disabled' } };
  await vitrine.request('PATCH', `/users/${people['disabled']!.id}`, disabling);
  const personOf = (caller: Caller): SignedIn => people[caller.split(' ')[0]!] ?? admin;
  return {
    vitrine,
    upstream,
    algorithm,
    version,
    newAlgorithm,
    newVersion,
    newRepository: async () => {
      const { repository } = await make('/repositories', { name: unique() });
      return (repository as unknown as { id: string }).id;
    },
    callOf: async (caller) => {
      const person = caller === 'disabled' ? admin : personOf(caller);
      const body = { algorithm_id: algorithm, version_id: version, input_data: {} };
      return (await make('/algorithms/call', body, person))['id']!;
    },
    keyOf: async (caller) => {
      const person = caller === 'disabled' ? admin : personOf(caller);
      return (await make('/api-keys', { name: 'k', expires_at: later }, person))['id']!;
    },
    headersOf: (caller) => {
      if (caller === 'nobody') return {};
      if (caller === 'forged') return { authorization: `Bearer ${admin.token.slice(0, -4)}AAAA` };
      if (caller.endsWith('key')) return { 'x-api-key': keys[caller.split(' ')[0]!]! };
      return { authorization: `Bearer ${people[caller]!.token}` };
    },
  };
}

describe('who may do what', () => {
  onEveryEngine((engine) => {
    let world: World;
    let vitrine: Vitrine;
    let upstream: Upstream;

    before(async () => {
      upstream = await startUpstream();
      // Limits have tests of their own; here nobody may run into one.
      const settings = { gateway: { rate_limit: 100_000 } };
      vitrine = await startVitrine(engine, { settings });
      world = await populate(vitrine, upstream);
    });

    after(async () => {
      await vitrine?.stop();
      await upstream?.stop();
    });

    it('is decided for each of the 37 operations', () => {
      expect(new Set(TABLE.map(({ operation }) => operation)).size).to.equal(37);
    });

    for (const { operation, rule, path, body } of TABLE) {
      it(`${operation} is for ${rule}`, async () => {
        const [method, template] = operation.split(' ') as [string, string];
        for (const caller of CALLERS) {
          const values = (await path?.(world, caller)) ?? {};
          const target = template.replaceAll(/\{([^}]+)\}/g, (_, name: string) => values[name]!);
          const answer = await vitrine.request(method, target, {
            headers: world.headersOf(caller),
            ...(body ? { body: body(world, caller) } : {}),
          });
          const wanted = expected(rule, caller);
          const seen = answer.status === 401 || answer.status === 403 ? answer.status : 'through';
          expect(seen, `${caller}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`).to.equal(
            wanted,
          );
          expect(answer.status, 'no internal error').not.to.equal(500);
          if (answer.status >= 400)
            expect(answer.headers['content-type']).to.include('application/problem+json');
        }
      });
    }
  });
});
