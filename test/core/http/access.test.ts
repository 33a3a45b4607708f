import { expect } from 'chai';
import type { AccessRule } from '../../../core/auth/access-rule.ts';
import { definePermission, type PermissionDecider } from '../../../core/auth/permission.ts';
import type { UserPrincipal } from '../../../core/auth/principal.ts';
import type { CredentialVerifier } from '../../../core/auth/verifier.ts';
import { InvalidCredentials } from '../../../core/errors/core-problems.ts';
import { reply, routesWith } from '../../../core/http/routing/route.ts';
import { jsonObject } from '../../../core/http/validation/schemas.ts';
import { until } from '../../support/until.ts';
import { RawClient } from './raw-client.ts';
import { startServer, type TestServer } from './support.ts';

const mayEdit = definePermission('demo:edit', 'Edit the things that one manages.');
const route = routesWith({});

const guarded = (operationId: string, access: AccessRule) =>
  route({
    method: 'GET',
    path: `/${operationId}/{thing_id}`,
    operationId,
    summary: operationId,
    access,
    answers: jsonObject(),
    handle: ({ principal }) => ({ kind: principal.kind }),
  });

/** Whose credentials have ended, who is no administrator any more, and what the user edits. */
const ended = new Set<string>();
const demoted = new Set<string>();
const edited = new Set<string>();
/** How often a request was authenticated, and how often a body was handled. */
let asked = 0;
let handled = 0;

const cacheable = route({
  method: 'GET',
  path: '/cacheable',
  operationId: 'cacheable',
  summary: 'May be kept',
  access: 'public',
  answers: jsonObject(),
  handle: () => reply({}, { headers: { 'cache-control': 'max-age=60', ETag: '"1"' } }),
});

/** Answers for long: something happens meanwhile, and then it looks who asks. */
let meanwhile: () => unknown = () => undefined;
const lasting = route({
  method: 'GET',
  path: '/lasting',
  operationId: 'lasting',
  summary: 'Takes long',
  access: 'admin',
  answers: jsonObject(),
  handle: async ({ admitAgain }) => {
    meanwhile();
    return { role: (await admitAgain()).role };
  },
});

/** `Authorization: Bearer user|admin|key|bad` */
const tokens: CredentialVerifier = {
  name: 'tokens',
  verify: (source) => {
    asked += 1;
    const [, who] = /^Bearer (user|admin|key|bad)$/.exec(source.header('authorization') ?? '') ?? [];
    if (who === 'bad') throw InvalidCredentials('The token is not valid.');
    return who ? account(who) : undefined;
  },
};

/** The same in `X-API-Key`, found out a little later. */
const keys: CredentialVerifier = {
  name: 'keys',
  verify: async (source) => {
    await Promise.resolve();
    return source.header('x-api-key') === 'key' ? account('key') : undefined;
  },
};

function account(who: string): UserPrincipal | undefined {
  if (ended.has(who)) throw InvalidCredentials('The token has ended.');
  return {
    kind: 'user',
    userId: who,
    username: who,
    role: who === 'admin' && !demoted.has(who) ? 'admin' : 'user',
    via: who === 'key' ? 'api-key' : 'token',
    credentialId: who,
  };
}

const managers: PermissionDecider = {
  permission: mayEdit,
  decide: async ({ userId }, path) => userId === 'user' && edited.has(path.thing_id ?? ''),
};

const guardedBody = (operationId: string, access: AccessRule) =>
  route({
    method: 'POST',
    path: `/${operationId}/{thing_id}`,
    operationId: `${operationId}Body`,
    summary: operationId,
    access,
    body: jsonObject(),
    answers: jsonObject(),
    handle: ({ principal }) => {
      handled += 1;
      return { kind: principal.kind };
    },
  });

describe('access', () => {
  let server: TestServer;
  before(async () => {
    const rules = ['public', 'user', 'account', 'admin'] as const;
    const routes = [...rules.map((rule) => guarded(rule, rule)), guarded('edit', mayEdit)];
    const taking = [...rules.map((rule) => guardedBody(rule, rule)), guardedBody('edit', mayEdit)];
    server = await startServer([...routes, ...taking, cacheable, lasting], {
      verifiers: [tokens, keys],
      deciders: [managers],
    });
  });
  after(() => server.close());
  beforeEach(() => {
    ended.clear();
    demoted.clear();
    edited.clear();
    edited.add('mine');
    asked = 0;
    handled = 0;
  });

  const ask = (path: string, headers: Record<string, string> = {}) =>
    server.request('GET', path, { headers });
  const bearer = (who: string) => ({ Authorization: `Bearer ${who}` });

  const table: readonly (readonly [string, Record<string, string>, Record<string, number>])[] = [
    ['an anonymous caller', {}, { public: 200, user: 401, account: 401, admin: 401, edit: 401 }],
    ['a user', bearer('user'), { public: 200, user: 200, account: 200, admin: 403, edit: 403 }],
    ['a key', { 'X-API-Key': 'key' }, { public: 200, user: 200, account: 403, admin: 403, edit: 403 }],
    ['an administrator', bearer('admin'), { public: 200, user: 200, account: 200, admin: 200, edit: 200 }],
    ['bad credentials', bearer('bad'), { public: 401, user: 401, account: 401, admin: 401, edit: 401 }],
  ];
  for (const [who, headers, statuses] of table) {
    for (const [rule, status] of Object.entries(statuses)) {
      it(`answers ${status} to ${who} on a route for ${rule}`, async () => {
        expect((await ask(`/${rule}/other`, headers)).status).to.equal(status);
      });
    }
  }

  it('accepts an account to which a decider grants the permission for this path', async () => {
    expect((await ask('/edit/mine', bearer('user'))).status).to.equal(200);
  });

  it('hands the principal to the handler of a public route', async () => {
    expect((await ask('/public/x', bearer('user'))).body.kind).to.equal('user');
  });

  it('sends a challenge when credentials are missing', async () => {
    expect((await ask('/user/x')).headers.get('www-authenticate')).to.equal('Bearer realm="vitrine"');
  });

  it('says in the challenge that credentials were bad', async () => {
    const answer = await ask('/user/x', bearer('bad'));
    expect(answer.headers.get('www-authenticate')).to.equal('Bearer realm="vitrine", error="invalid_token"');
    expect(answer.body.code).to.equal('invalid_credentials');
  });

  it('does not say whether an operation exists behind bad credentials', async () => {
    expect((await ask('/nothing/x', bearer('bad'))).status).to.equal(404);
  });

  it('forbids caches to store answers to signed-in users, whatever headers the handler sets', async () => {
    expect((await ask('/cacheable')).headers.get('cache-control')).to.equal('max-age=60');
    const { headers } = await ask('/cacheable', bearer('user'));
    expect([headers.get('cache-control'), headers.get('etag')]).to.deep.equal(['no-store', '"1"']);
  });

  it('can be asked for again while an answer goes on', async () => {
    meanwhile = () => undefined;
    expect((await ask('/lasting', bearer('admin'))).body).to.deep.equal({ role: 'admin' });
    meanwhile = () => demoted.add('admin');
    expect((await ask('/lasting', bearer('admin'))).status).to.equal(403);
    demoted.clear();
    meanwhile = () => ended.add('admin');
    expect((await ask('/lasting', bearer('admin'))).status).to.equal(401);
  });

  describe('while the body arrives', () => {
    let client: RawClient;
    beforeEach(async () => (client = await RawClient.open(server.port)));
    afterEach(() => client.close());

    /** Sends all but the last byte of a body, lets something happen, and answers what comes of the rest. */
    async function slowly(path: string, header: string, meanwhile: () => unknown) {
      const head = `POST /api/v1${path} HTTP/1.1\r\nHost: x\r\n${header}\r\n`;
      client.socket.write(`${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{`);
      await until(() => asked > 0);
      meanwhile();
      return client.ask('}');
    }

    it('is asked for once where the body comes with its head', async () => {
      const head = 'POST /api/v1/user/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer user\r\n';
      const { status } = await client.ask(
        `${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
      );
      expect([status, asked]).to.deep.equal([200, 1]);
    });

    it('lasts where nothing changes', async () => {
      const { status, body } = await slowly('/user/x', 'Authorization: Bearer user', () => undefined);
      expect([status, body.kind]).to.deep.equal([200, 'user']);
    });

    const losses: [string, string, string, () => unknown, number][] = [
      ['a token', '/user/x', 'Authorization: Bearer user', () => ended.add('user'), 401],
      ['a token on a public route', '/public/x', 'Authorization: Bearer user', () => ended.add('user'), 401],
      ['a key', '/user/x', 'X-API-Key: key', () => ended.add('key'), 401],
      ['a role', '/admin/x', 'Authorization: Bearer admin', () => demoted.add('admin'), 403],
      ['a permission', '/edit/mine', 'Authorization: Bearer user', () => edited.clear(), 403],
    ];
    for (const [what, path, header, lose, status] of losses) {
      it(`ends with ${what}`, async () => {
        expect([(await slowly(path, header, lose)).status, handled]).to.deep.equal([status, 0]);
      });
    }
  });
});
