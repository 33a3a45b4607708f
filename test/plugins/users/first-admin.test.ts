import { expect } from 'chai';
import { StartupError } from '../../../core/index.ts';
import { onEveryEngine, type Scratch, type TestResponse } from '../../../core/testing.ts';
import { createAdmin } from '../../../plugins/users/commands/create-admin.ts';
import { FIRST_ADMIN } from '../../../plugins/users/first-admin.ts';
import { REGISTRATION } from '../../../plugins/users/registration.ts';
import { startVitrine, type Vitrine } from '../../support/vitrine.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

onEveryEngine((engine) => {
  describe('the first administrator', () => {
    let scratch: Scratch;
    let running: Vitrine[];

    beforeEach(async () => {
      scratch = await migratedScratch(engine);
      running = [];
    });

    afterEach(async () => {
      await Promise.all(running.map((vitrine) => vitrine.stop()));
      await scratch.remove();
    });

    async function start(
      users: Record<string, unknown> = {},
      log?: { write(line: string): void },
    ): Promise<Vitrine> {
      const vitrine = await startVitrine(engine, {
        plugins: ['users'],
        settings: { users },
        scratch,
        ...(log ? { log } : {}),
      });
      running.push(vitrine);
      return vitrine;
    }

    function register(vitrine: Vitrine, username: string, password = 'correct horse'): Promise<TestResponse> {
      const body = { username, email: `${username}@example.org`, password };
      return vitrine.request('POST', '/users/register', { body });
    }

    async function roleAt(vitrine: Vitrine, username: string, password: string): Promise<string> {
      const login = await vitrine.request('POST', '/users/login', { body: { username, password } });
      return (await vitrine.request('GET', '/users/me', { token: login.body.access_token })).body.role;
    }

    describe('when none is configured', () => {
      it('is the first account to register', async () => {
        const vitrine = await start();
        const roles = [
          (await register(vitrine, 'ada')).body.role,
          (await register(vitrine, 'grace')).body.role,
        ];
        expect(roles).to.deep.equal(['admin', 'user']);
      });

      it('is exactly one, when many register at once on two instances', async () => {
        const instances = engine === 'postgres' ? [await start(), await start()] : [await start()];
        const asked = Array.from({ length: 12 }, (_, n) =>
          register(instances[n % instances.length]!, `user${n}`),
        );
        const roles = (await Promise.all(asked)).map(({ body }) => body.role as string);
        expect(roles.filter((role) => role === 'admin')).to.have.length(1);
      });

      for (const password of ['password', 'changeme', 'administrator-of-all']) {
        it(`may not have the well-known password ${password}, and others may`, async () => {
          const vitrine = await start();
          const { status, body } = await register(vitrine, 'administrator-of-all', password);
          expect([status, body.errors[0].pointer]).to.deep.equal([422, '/body/password']);
          expect((await register(vitrine, 'ada')).body.role).to.equal('admin');
          expect((await register(vitrine, 'grace', password)).body.role).to.equal('user');
        });
      }

      it('may have any password where the settings keep it from becoming one', async () => {
        const vitrine = await start({ first_is_admin: false });
        expect((await register(vitrine, 'ada', 'password')).body.role).to.equal('user');
      });

      it('is not taken by a registration that failed', async () => {
        const vitrine = await start();
        const body = { username: 'ada', email: 'ada@example.org', password: 'short' };
        await vitrine.request('POST', '/users/register', { body });
        expect((await register(vitrine, 'grace')).body.role).to.equal('admin');
      });

      it('is not the first account where the setting says no', async () => {
        expect((await register(await start({ first_is_admin: false }), 'ada')).body.role).to.equal('user');
      });

      it('is announced in the log and at the end of the start', async () => {
        const lines: string[] = [];
        const vitrine = await start({}, { write: (line) => void lines.push(line) });
        const note = 'the first account to register becomes one';
        expect(lines.join('')).to.contain(note);
        expect(await vitrine.get(FIRST_ADMIN).note()).to.contain(note);
      });

      it('is not announced any more once there is one', async () => {
        const vitrine = await start();
        await register(vitrine, 'ada');
        expect(await vitrine.get(FIRST_ADMIN).note()).to.equal(undefined);
      });
    });

    describe('from the settings', () => {
      const admin = {
        admin_username: 'root',
        admin_email: 'root@example.org',
        admin_password: 'correct horse',
      };

      it('can sign in as administrator', async () => {
        expect(await roleAt(await start(admin), 'root', 'correct horse')).to.equal('admin');
      });

      it('leaves no claim to the first account that registers', async () => {
        expect((await register(await start(admin), 'ada')).body.role).to.equal('user');
      });

      it('is never overwritten by a later start', async () => {
        await start(admin);
        const again = await start({ ...admin, admin_password: 'another horse' });
        expect(await roleAt(again, 'root', 'correct horse')).to.equal('admin');
      });

      it('is called admin when only a password is given', async () => {
        expect(
          await roleAt(await start({ admin_password: 'correct horse' }), 'admin', 'correct horse'),
        ).to.equal('admin');
      });

      it('stops the start when its password is one that everybody tries first', async () => {
        const weak = { ...admin, admin_password: 'changeme123' };
        const stopped: unknown = await start(weak).catch((error: unknown) => error);
        expect(stopped).to.be.instanceOf(StartupError);
      });
    });

    describe('from the command line', () => {
      async function run(options: Record<string, string>) {
        const vitrine = await start();
        return createAdmin.run(options, { registration: vitrine.get(REGISTRATION) } as never);
      }
      const given = { username: 'root', email: 'root@example.org' };

      it('can sign in with the given password', async () => {
        await run({ ...given, password: 'correct horse' });
        expect(await roleAt(running[0]!, 'root', 'correct horse')).to.equal('admin');
      });

      it('can sign in with a password that is made and printed once', async () => {
        const { data, message } = await run(given);
        const { password } = data as { password: string };
        expect(message).to.contain(password);
        expect(await roleAt(running[0]!, 'root', password)).to.equal('admin');
      });

      it('does not print a password that was given', async () => {
        expect(JSON.stringify(await run({ ...given, password: 'correct horse' }))).not.to.contain(
          'correct horse',
        );
      });

      it('is refused with a weak password', async () => {
        const refused: unknown = await run({ ...given, password: 'password123' }).catch(
          (error: unknown) => error,
        );
        expect((refused as Error).message).to.contain('everybody tries first');
      });

      it('is refused when the username is taken', async () => {
        await run({ ...given, password: 'correct horse' });
        const again = createAdmin.run(given, { registration: running[0]!.get(REGISTRATION) } as never);
        expect(((await again.catch((error: unknown) => error)) as Error).message).to.contain('is taken');
      });
    });
  });
});
