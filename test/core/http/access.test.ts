import { expect } from 'chai';
import type { AccessRule } from '../../../core/auth/access-rule.ts';
import { definePermission, type PermissionDecider } from '../../../core/auth/permission.ts';
import type { UserPrincipal } from '../../../core/auth/principal.ts';
import type { CredentialVerifier } from '../../../core/auth/verifier.ts';
import { InvalidCredentials } from '../../../core/errors/problems.ts';
import { routesWith } from '../../../core/http/route.ts';
import { jsonObject } from '../../../core/http/schemas.ts';
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

/** `Authorization: Bearer user|admin|key|bad` */
const tokens: CredentialVerifier = {
  name: 'tokens',
  verify: (source) => {
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

function account(who: string): UserPrincipal {
  return {
    kind: 'user',
    userId: who,
    username: who,
    role: who === 'admin' ? 'admin' : 'user',
    via: who === 'key' ? 'api-key' : 'token',
    credentialId: who,
  };
}

const managers: PermissionDecider = {
  permission: mayEdit,
  decide: async ({ userId }, path) => userId === 'user' && path.thing_id === 'mine',
};

describe('access', () => {
  let server: TestServer;
  before(async () => {
    const routes = (['public', 'user', 'account', 'admin'] as const).map((rule) => guarded(rule, rule));
    server = await startServer([...routes, guarded('edit', mayEdit)], {
      verifiers: [tokens, keys],
      deciders: [managers],
    });
  });
  after(() => server.close());

  const ask = (path: string, headers: Record<string, string> = {}) =>
    server.request('GET', path, { headers });
  const bearer = (who: string) => ({ Authorization: `Bearer ${who}` });

  const table: readonly (readonly [string, Record<string, string>, Record<string, number>])[] = [
    ['nobody', {}, { public: 200, user: 401, account: 401, admin: 401, edit: 401 }],
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

  it('lets somebody through whom a decider allows this very thing', async () => {
    expect((await ask('/edit/mine', bearer('user'))).status).to.equal(200);
  });

  it('hands the principal to the handler of a public route', async () => {
    expect((await ask('/public/x', bearer('user'))).body.kind).to.equal('user');
  });

  it('asks for credentials with a challenge', async () => {
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
});
