import { expect } from 'chai';
import { onEveryEngine, type Scratch } from '../../../core/testing.ts';
import { commands } from '../../../plugins/users/commands/commands.ts';
import { tokenIn } from '../../support/mailbox.ts';
import { startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

type Options = Record<string, string | boolean>;

onEveryEngine((engine) => {
  describe('the commands for accounts', () => {
    let scratch: Scratch;
    let vitrine: Vitrine;
    let admin: SignedIn;
    let made = 0;

    before(async () => {
      scratch = await migratedScratch(engine);
      vitrine = await startVitrine(engine, { scratch });
      admin = await vitrine.admin();
    });
    after(async () => {
      await vitrine?.stop();
      await scratch.remove();
    });

    async function run(name: string, options: Options): Promise<{ message: string; data: any }> {
      const command = commands.find((one) => one.name === `users ${name}`)!;
      const deps = Object.entries(command.deps).map(([key, token]) => [key, vitrine.get(token as never)]);
      return command.run(options, Object.fromEntries(deps) as never);
    }
    const refused = async (name: string, options: Options): Promise<string> => {
      const why = await run(name, options).then(
        () => 'nothing',
        (error: Error) => error.message,
      );
      return why;
    };
    const login = async (username: string, password: string): Promise<number> =>
      (await vitrine.request('POST', '/users/login', { body: { username, password } })).status;
    const person = () => vitrine.user(`person-${(made += 1)}`);

    it('create an account with a password that is printed once', async () => {
      const { message, data } = await run('create', { name: 'ada', email: 'ada@example.org' });
      expect(message).to.include(`Its password is ${data.password} and is not shown again.`);
      expect(data).to.include({ username: 'ada', role: 'user', status: 'active' });
      expect(await login('ada', data.password)).to.equal(200);
    });

    it('create an administrator with a given password, which is not printed', async () => {
      const options = { name: 'root', email: 'root@example.org', role: 'admin', password: 'long-enough-1' };
      const { message, data } = await run('create', options);
      expect(message + JSON.stringify(data)).not.to.include('long-enough-1');
      expect([data.role, await login('root', 'long-enough-1')]).to.deep.equal(['admin', 200]);
    });

    it('create an account with an invitation', async () => {
      const { message, data } = await run('create', {
        name: 'grace',
        email: 'grace@example.org',
        invite: true,
      });
      expect(message).to.include(data.invitation.url).and.to.include('PUBLIC_URL');
      const body = { token: tokenIn(message), password: 'nine quiet rivers' };
      expect((await vitrine.request('POST', '/users/password-reset/confirm', { body })).status).to.equal(200);
    });

    it('list accounts by name, role and status', async () => {
      const { id, username } = await person();
      const { message, data } = await run('list', { q: username, role: 'user', status: 'active' });
      expect(message).to.equal(`${id}  user   active    ${username}  ${username}@example.org`);
      expect(data.map((user: SignedIn) => user.id)).to.deep.equal([id]);
      expect((await run('list', { q: 'nobody-has-this' })).message).to.equal('No account matches.');
      expect(JSON.stringify((await run('list', {})).data)).not.to.match(/argon2|_key|tokens_after/);
    });

    it('show an account by its name, in any case, or its id', async () => {
      const { id, username } = await person();
      for (const name of [username.toUpperCase(), id]) {
        const { message, data } = await run('show', { name });
        expect([data.id, message.includes(username)]).to.deep.equal([id, true]);
      }
    });

    it('disable and enable', async () => {
      const { username, token } = await person();
      expect((await run('disable', { name: username })).data.status).to.equal('disabled');
      expect((await vitrine.request('GET', '/users/me', { token })).status).to.equal(401);
      expect((await run('enable', { name: username })).data.status).to.equal('active');
    });

    it('tell which API keys work again', async () => {
      const { username, token } = await person();
      const body = { name: 'notebook', expires_at: '2099-01-01T00:00:00Z' };
      await vitrine.request('POST', '/api-keys', { token, body });
      await run('disable', { name: username });
      const { message, data } = await run('enable', { name: username });
      expect(message).to.include('API keys that work again: notebook.');
      expect(data.restored_api_keys).to.have.length(1);
    });

    it('make an administrator', async () => {
      const { username } = await person();
      expect((await run('make-admin', { name: username })).data.role).to.equal('admin');
    });

    it('reset a password, which ends all sessions', async () => {
      const { username, token } = await person();
      const { message, data } = await run('reset-password', { name: username });
      expect(message).to.include(data.password);
      expect((await vitrine.request('GET', '/users/me', { token })).status).to.equal(401);
      expect(await login(username, data.password)).to.equal(200);
      await run('reset-password', { name: username, password: 'ten quiet rivers' });
      expect(await login(username, 'ten quiet rivers')).to.equal(200);
    });

    it('reset a password by a link', async () => {
      const { username } = await person();
      const { message, data } = await run('reset-password', { name: username, link: true });
      expect([data.mail, tokenIn(message)]).to.deep.equal(['off', tokenIn(data.url)]);
    });

    it('delete an account, with its records on request', async () => {
      const [one, other] = [await person(), await person()];
      const kept = await run('delete', { name: one.username });
      expect(kept.message).to.equal(`The account "${one.username}" was deleted. Its records stay.`);
      expect((await run('delete', { name: other.id, records: 'delete' })).data).to.deep.equal({
        id: other.id,
        username: other.username,
        records: 'delete',
      });
      expect((await vitrine.request('GET', '/users/me', { token: one.token })).status).to.equal(401);
    });

    for (const [what, name, options, sentence] of [
      ['an unknown name', 'show', { name: 'nobody' }, 'No account has the name "nobody".'],
      ['an unknown role', 'list', { role: 'root' }, '--role "root" is none of user, admin.'],
      ['an unknown status', 'list', { status: 'gone' }, '--status "gone" is none of'],
      [
        'an unknown choice',
        'delete',
        { name: 'admin', records: 'all' },
        '--records "all" is none of keep, delete.',
      ],
      ['a short password', 'reset-password', { name: 'admin', password: 'short' }, 'must have 8 to 256'],
      [
        'a well-known password',
        'reset-password',
        { name: 'admin', password: 'password123' },
        'everybody tries first',
      ],
      [
        'a link and a password',
        'reset-password',
        { name: 'admin', link: true, password: 'long-enough-1' },
        '--password cannot be given',
      ],
      [
        'a name that is none',
        'create',
        { name: 'a b', email: 'a@example.org' },
        'username must be letters, digits and . _ @ + -, and is "a b"',
      ],
      ['a name that is taken', 'create', { name: 'ADMIN', email: 'a@example.org' }, '"ADMIN" is taken'],
      [
        'an address that is none',
        'create',
        { name: 'a', email: 'nobody' },
        'an e-mail address, and is "nobody"',
      ],
    ] as const) {
      it(`refuse ${what}`, async () => {
        expect(await refused(name, options)).to.include(sentence);
      });
    }

    it('leave the last administrator', async () => {
      const administrators = (await run('list', { role: 'admin' })).data as SignedIn[];
      for (const { id } of administrators) if (id !== admin.id) await run('delete', { name: id });
      for (const name of ['disable', 'delete']) {
        expect(await refused(name, { name: 'admin' })).to.include(
          '"admin" is the last active administrator.',
        );
      }
    });
  });
});
