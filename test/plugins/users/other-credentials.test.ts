import { expect } from 'chai';
import {
  contribute,
  CREDENTIAL_VERIFIERS,
  definePlugin,
  InvalidCredentials,
  type CredentialSource,
  type UserPrincipal,
} from '../../../core/index.ts';
import { builtInPlugins, startTestKernel, type TestKernel } from '../../../core/testing.ts';
import { ACCOUNTS, type Accounts } from '../../../plugins/users/contract.ts';
import { PASSWORD } from '../../support/vitrine.ts';

/** Knows the bearers and keys `badge:<id of a user>`, and refuses `badge:` alone. */
async function holderOf(source: CredentialSource, accounts: Accounts): Promise<UserPrincipal | undefined> {
  const sent = source.header('x-api-key') ?? source.bearer;
  const [, userId] = /^badge:(.*)$/.exec(sent ?? '') ?? [];
  if (userId === undefined) return undefined;
  const account = await accounts.find(userId);
  if (!account) throw InvalidCredentials('Nobody has this badge.');
  const { id, username, role } = account;
  return { kind: 'user', userId: id, username, role, via: 'token', credentialId: userId };
}

const badges = definePlugin({
  id: 'badges',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Credentials of another kind',
  requires: ['users'],
  contributes: [
    contribute(CREDENTIAL_VERIFIERS, {
      deps: { accounts: ACCOUNTS },
      create: ({ accounts }) => ({ name: 'badges', verify: (source) => holderOf(source, accounts) }),
    }),
  ],
});

describe('credentials of another plugin', () => {
  let kernel: TestKernel;
  let id: string;

  before(async () => {
    const plugins = [...(await builtInPlugins(['users', 'api-keys'])), badges];
    kernel = await startTestKernel({ engine: 'sqlite', plugins });
    const body = { username: 'ada', email: 'ada@example.org', password: PASSWORD };
    ({ id } = (await kernel.request('POST', '/users/register', { body })).body);
  });

  after(() => kernel.stop());

  const me = (headers: Record<string, string>) => kernel.request('GET', '/users/me', { headers });

  it('may be bearers of their own form', async () => {
    expect((await me({ authorization: `Bearer badge:${id}` })).body.username).to.equal('ada');
  });

  it('may be keys of their own form', async () => {
    expect((await me({ 'x-api-key': `badge:${id}` })).body.username).to.equal('ada');
  });

  it('are refused by the one that recognises them', async () => {
    expect((await me({ authorization: 'Bearer badge:nobody' })).body.detail).to.equal(
      'Nobody has this badge.',
    );
  });

  it('that nobody recognises are refused', async () => {
    const headers = { authorization: 'Bearer token:1' };
    const answers = [await me(headers), await me({ 'x-api-key': 'token:1' })];
    expect(answers.map(({ status, body }) => [status, body.code])).to.deep.equal([
      [401, 'invalid_credentials'],
      [401, 'invalid_credentials'],
    ]);
  });
});
