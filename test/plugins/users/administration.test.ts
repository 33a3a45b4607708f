import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { DATABASE, newId, INVALIDATION } from '../../../core/index.ts';
import { onEveryEngine, type TestResponse } from '../../../core/testing.ts';
import { ADMINISTRATION } from '../../../plugins/users/administration.ts';
import { ACCOUNT_CHANGED_TOPIC } from '../../../plugins/users/contract.ts';
import { startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';

const BY = { kind: 'command', name: 'test' } as const;

onEveryEngine((engine) => {
  describe('the administration of users', () => {
    let vitrine: Vitrine;
    let admin: SignedIn;
    let ada: SignedIn;
    let eve: SignedIn;

    before(async () => {
      vitrine = await startVitrine(engine, { plugins: ['users'] });
      admin = await vitrine.admin();
      eve = await vitrine.user('eve');
      ada = await vitrine.user('Ada_1');
    });

    after(() => vitrine.stop());

    function get(path: string, who: SignedIn = admin): Promise<TestResponse> {
      return vitrine.request('GET', path, { token: who.token });
    }

    function patch(id: string, body: object, who: SignedIn = admin): Promise<TestResponse> {
      return vitrine.request('PATCH', `/users/${id}`, { token: who.token, body });
    }

    const names = ({ body }: TestResponse) => body.users.map((user: { username: string }) => user.username);

    describe('GET /users', () => {
      it('lists accounts, newest first, without passwords', async () => {
        const answer = await get('/users');
        expect(names(answer)).to.deep.equal(['Ada_1', 'eve', 'admin']);
        expect(JSON.stringify(answer.body)).not.to.match(/argon2|password|tokens_after/);
      });

      it('pages, and counts all', async () => {
        const answer = await get('/users?skip=2&limit=1');
        expect([names(answer), answer.body.total]).to.deep.equal([['admin'], 3]);
      });

      it('finds by a part of the name, whatever its case', async () => {
        const answer = await get('/users?q=DA_');
        expect([names(answer), answer.body.total]).to.deep.equal([['Ada_1'], 1]);
      });

      it('finds a name in whatever form it is typed', async () => {
        await vitrine.user('Jürgen');
        for (const q of ['JÜRG', 'ju\u0308rg', 'ｊüｒ']) {
          expect(names(await get(`/users?q=${encodeURIComponent(q)}`))).to.deep.equal(['Jürgen']);
        }
      });

      it('finds by a part of the e-mail address', async () => {
        expect(names(await get(`/users?q=${encodeURIComponent('admin@')}`))).to.deep.equal(['admin']);
      });

      it('finds by role and status, also together with a part of the name', async () => {
        const zoe = await vitrine.user('zoe');
        await vitrine.get(ADMINISTRATION).change(zoe.id, { status: 'disabled' }, BY);
        const found = [
          names(await get('/users?role=admin')),
          names(await get('/users?status=disabled')),
          names(await get('/users?role=user&status=active&q=e')),
        ];
        expect(found).to.deep.equal([['admin'], ['zoe'], ['Jürgen', 'Ada_1', 'eve']]);
        expect((await get('/users?role=root')).status).to.equal(422);
      });

      it('takes wildcards for characters', async () => {
        expect([names(await get('/users?q=%25')), names(await get('/users?q=a_m'))]).to.deep.equal([[], []]);
      });

      it('is for administrators', async () => {
        expect((await get('/users', ada)).status).to.equal(403);
      });
    });

    describe('GET /users/{user_id}', () => {
      it('shows an account', async () => {
        expect((await get(`/users/${ada.id}`)).body).to.include({
          id: ada.id,
          username: 'Ada_1',
          role: 'user',
        });
      });

      it('does not know others, whatever they look like', async () => {
        const answers = await Promise.all([newId(), '1', "'", '%00'].map((id) => get(`/users/${id}`)));
        expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404]);
      });

      it('is for administrators, also for the own account', async () => {
        expect((await get(`/users/${ada.id}`, ada)).status).to.equal(403);
      });
    });

    describe('PATCH /users/{user_id}', () => {
      afterEach(async () => {
        await vitrine.get(ADMINISTRATION).change(admin.id, { role: 'admin', status: 'active' }, BY);
        await vitrine.get(ADMINISTRATION).change(ada.id, { role: 'user', status: 'active' }, BY);
      });

      it('changes the role', async () => {
        expect((await patch(ada.id, { role: 'admin' })).body).to.include({ id: ada.id, role: 'admin' });
      });

      it('changes the status', async () => {
        expect((await patch(ada.id, { status: 'disabled' })).body.status).to.equal('disabled');
      });

      it('changes the e-mail address', async () => {
        expect((await patch(ada.id, { email: 'lovelace@example.org' })).body.email).to.equal(
          'lovelace@example.org',
        );
        expect(names(await get('/users?q=lovelace'))).to.deep.equal(['Ada_1']);
      });

      it('refuses an address that is taken or none', async () => {
        const taken = await patch(ada.id, { email: 'EVE@example.org', role: 'admin' });
        expect([taken.status, taken.body.code]).to.deep.equal([409, 'email_taken']);
        expect((await patch(ada.id, { email: 'nobody' })).status).to.equal(422);
        expect((await get(`/users/${ada.id}`)).body.role).to.equal('user');
      });

      for (const field of ['id', 'username', 'password', 'created_at']) {
        it(`refuses another ${field}, and changes nothing then`, async () => {
          const { status, body } = await patch(ada.id, { [field]: 'other', role: 'admin' });
          expect([status, body.errors[0].pointer]).to.deep.equal([422, `/body/${field}`]);
          expect((await get(`/users/${ada.id}`)).body.role).to.equal('user');
        });
      }

      it('takes back what was read, and changes one field of it', async () => {
        const { body } = await get(`/users/${ada.id}`);
        const answer = await patch(ada.id, { ...body, role: 'admin' });
        expect([answer.status, answer.body.role]).to.deep.equal([200, 'admin']);
      });

      it('ignores fields that no account has', async () => {
        const { status, body } = await patch(ada.id, { password_hash: 'x', nonsense: 1, role: 'admin' });
        expect([status, body.role]).to.deep.equal([200, 'admin']);
      });

      it('leaves the time of the last change alone when nothing changes', async () => {
        const { body } = await get(`/users/${ada.id}`);
        expect((await patch(ada.id, body)).body).to.deep.equal(body);
      });

      it('refuses a role that does not exist', async () => {
        expect((await patch(ada.id, { role: 'root' })).status).to.equal(422);
      });

      it('does not know other accounts', async () => {
        expect((await patch(newId(), { role: 'admin' })).status).to.equal(404);
      });

      it('is for administrators', async () => {
        expect((await patch(eve.id, { role: 'admin' }, eve)).status).to.equal(403);
      });

      for (const change of [{ role: 'user' }, { status: 'disabled' }]) {
        it(`does not set ${JSON.stringify(change)} for the last administrator`, async () => {
          const { status, body } = await patch(admin.id, change);
          expect([status, body.code]).to.deep.equal([409, 'last_administrator']);
        });
      }

      it('does not count a disabled administrator', async () => {
        await patch(ada.id, { role: 'admin', status: 'disabled' });
        expect((await patch(admin.id, { role: 'user' })).status).to.equal(409);
      });

      it('demotes an administrator when another one is left', async () => {
        await patch(ada.id, { role: 'admin' });
        expect((await patch(admin.id, { role: 'user' })).status).to.equal(200);
      });

      it('is refused to one who has just lost the role, and would give it to himself again', async () => {
        const mallory = await vitrine.user('mallory');
        await patch(mallory.id, { role: 'admin' });
        const database = vitrine.get(DATABASE);
        const asked = await database.transaction(async (trx) => {
          await trx('users_users').where({ id: mallory.id }).update({ role: 'user' });
          vitrine.get(INVALIDATION).publish(trx, ACCOUNT_CHANGED_TOPIC, mallory.id);
          const answer = patch(mallory.id, { role: 'admin' }, mallory);
          await pause(100);
          return { answer };
        });
        const { status, body } = await asked.answer;
        expect([status, body.code, (await get(`/users/${mallory.id}`)).body.role]).to.deep.equal([
          403,
          'forbidden',
          'user',
        ]);
      });

      it('leaves one, however often two administrators are demoted at once', async () => {
        const administration = vitrine.get(ADMINISTRATION);
        const change = (id: string, role: 'admin' | 'user') => administration.change(id, { role }, BY);
        const leftOvers: number[] = [];
        for (let round = 0; round < 10; round++) {
          await Promise.all([change(admin.id, 'admin'), change(ada.id, 'admin')]);
          const demoted = await Promise.allSettled([change(admin.id, 'user'), change(ada.id, 'user')]);
          leftOvers.push(demoted.filter(({ status }) => status === 'rejected').length);
        }
        expect(new Set(leftOvers)).to.deep.equal(new Set([1]));
      });
    });
  });
});
