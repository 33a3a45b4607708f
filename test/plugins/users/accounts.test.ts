import { expect } from 'chai';
import {
  contribute,
  CREDENTIAL_VERIFIERS,
  definePlugin,
  listen,
  type CredentialVerifier,
} from '../../../core/index.ts';
import { builtInPlugins, onEveryEngine, startTestKernel, type TestKernel } from '../../../core/testing.ts';
import { ACCOUNTS, userRegistered, type Accounts } from '../../../plugins/users/contract.ts';

/** A sign-in of a plugin: the bearer `sso.<e-mail address>` stands for the account, which is made when it is missing. */
function singleSignOn(heard: string[]) {
  const verifier = (accounts: Accounts): CredentialVerifier => ({
    name: 'single-sign-on:session',
    async verify({ bearer }) {
      if (!bearer?.startsWith('sso.')) return undefined;
      const email = bearer.slice('sso.'.length);
      const username = email.split('@')[0]!;
      const account = (await accounts.findByEmail(email)) ?? (await accounts.create({ username, email }));
      const { id: userId, role } = account;
      const via = 'single-sign-on:session';
      return { kind: 'user', userId, username: account.username, role, via, credentialId: bearer };
    },
  });
  return definePlugin({
    id: 'single-sign-on',
    version: '1.0.0',
    api: '^1.0',
    summary: 'Signs in whom another server vouches for',
    requires: ['users'],
    contributes: [
      contribute(CREDENTIAL_VERIFIERS, {
        deps: { accounts: ACCOUNTS },
        order: -1,
        create: ({ accounts }) => verifier(accounts),
      }),
    ],
    events: {
      listens: [listen(userRegistered, { deps: {}, handle: ({ username }) => void heard.push(username) })],
    },
  });
}

onEveryEngine((engine) => {
  describe('accounts for other plugins', () => {
    const heard: string[] = [];
    let kernel: TestKernel;
    let accounts: Accounts;
    before(async () => {
      const plugins = [...(await builtInPlugins(['users'])), singleSignOn(heard)];
      kernel = await startTestKernel({ engine, plugins, settings: { users: { registration: false } } });
      accounts = kernel.get(ACCOUNTS);
    });
    after(() => kernel.stop());

    const failure = (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'none',
        (error: { code: string }) => error.code,
      );

    it('are made by a plugin of another way to sign in, and are signed in then', async () => {
      const token = 'sso.ada@example.org';
      const { status, body } = await kernel.request('GET', '/users/me', { token });
      expect([status, body.username, body.role]).to.deep.equal([200, 'ada', 'user']);
      expect((await kernel.request('GET', '/users/me', { token })).body.id).to.equal(body.id);
      await kernel.settled();
      expect(heard).to.deep.equal(['ada']);
      expect((await kernel.request('POST', '/users/logout', { token })).status).to.equal(403);
    });

    it('are found by name and by e-mail address without regard to case', async () => {
      const made = await accounts.create({ username: 'Grace', email: 'grace@example.org', role: 'admin' });
      expect(made).to.include({ username: 'Grace', role: 'admin', status: 'active' });
      expect(await accounts.findByName('GRACE')).to.deep.equal(made);
      expect(await accounts.findByEmail('Grace@Example.org')).to.deep.equal(made);
      expect(await accounts.find(made.id)).to.deep.equal(made);
      expect(await accounts.findByName('nobody')).to.equal(undefined);
    });

    it('are refused when they are taken or break the rules', async () => {
      await accounts.create({ username: 'linus', email: 'linus@example.org' });
      expect(await failure(accounts.create({ username: 'LINUS', email: 'b@example.org' }))).to.equal(
        'username_taken',
      );
      expect(await failure(accounts.create({ username: 'b', email: 'LINUS@example.org' }))).to.equal(
        'email_taken',
      );
      expect(await failure(accounts.create({ username: '<b>', email: 'c@example.org' }))).to.equal(
        'validation_failed',
      );
    });

    it('have no password that opens them', async () => {
      await accounts.create({ username: 'edsger', email: 'edsger@example.org' });
      for (const password of ['edsger', ' ']) {
        const body = { username: 'edsger', password };
        const login = await kernel.request('POST', '/users/login', { body });
        expect([login.status, login.body.code]).to.deep.equal([401, 'invalid_credentials']);
      }
    });
  });
});
