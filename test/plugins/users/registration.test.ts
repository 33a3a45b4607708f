import { expect } from 'chai';
import { onEveryEngine, type TestResponse } from '../../../core/testing.ts';
import { startVitrine, type Vitrine } from '../../support/vitrine.ts';

onEveryEngine((engine) => {
  describe('POST /users/register', () => {
    let vitrine: Vitrine;

    before(async () => {
      vitrine = await startVitrine(engine, { plugins: ['users'] });
      await vitrine.admin();
    });

    after(() => vitrine.stop());

    function register(body: object): Promise<TestResponse> {
      return vitrine.request('POST', '/users/register', { body });
    }

    function account(username: string) {
      return { username, email: `${username}@example.org`, password: 'correct horse' };
    }

    it('answers the account as an active user, and nothing more', async () => {
      const { status, body } = await register(account('ada'));
      expect([status, Object.keys(body).sort()]).to.deep.equal([
        200,
        ['created_at', 'email', 'id', 'role', 'status', 'updated_at', 'username'],
      ]);
      expect(body).to.include({ username: 'ada', email: 'ada@example.org', role: 'user', status: 'active' });
    });

    it('keeps the username as it was written', async () => {
      expect((await register(account('Grace'))).body.username).to.equal('Grace');
    });

    it('does not let the caller set id, role, status or times', async () => {
      const wanted = {
        id: 'mine',
        role: 'admin',
        status: 'disabled',
        created_at: '2000-01-01T00:00:00.000Z',
      };
      const { status, body } = await register({ ...account('mallory'), ...wanted });
      expect(status).to.equal(200);
      expect(body).to.include({ role: 'user', status: 'active' });
      expect([body.id, body.created_at]).not.to.include.members([wanted.id]);
      expect(body.created_at).not.to.equal(wanted.created_at);
    });

    for (const [taken, other] of [
      ['Weiß', 'WEISS'],
      ['ΑΣ', 'Ας'],
      ['Müller', 'mu\u0308ller'],
      ['ミューラー', 'ﾐｭｰﾗｰ'],
      ['한글', '한글'.normalize('NFD')],
      ['turing', 'ＴＵＲＩＮＧ'],
    ] as const) {
      it(`takes the username ${JSON.stringify(other)} for ${taken}, as signing in does`, async () => {
        const body = { ...account('form'), email: `${Buffer.from(taken).toString('hex')}@example.org` };
        await register({ ...body, username: taken });
        const second = await register({ ...account('form'), username: other });
        expect([second.status, second.body.code]).to.deep.equal([409, 'username_taken']);
        const signedIn = await vitrine.request('POST', '/users/login', {
          body: { username: other, password: body.password },
        });
        expect(signedIn.status).to.equal(200);
      });
    }

    it('takes e-mail addresses for the same by the same rules', async () => {
      await register({ ...account('strasse'), email: 'Straße@example.org' });
      const { status, body } = await register({ ...account('other'), email: 'STRASSE@EXAMPLE.ORG' });
      expect([status, body.code]).to.deep.equal([409, 'email_taken']);
    });

    it('keeps names apart that differ in an accent or a digit', async () => {
      const answers = [await register(account('weis1')), await register(account('weis2'))];
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
    });

    it('takes white space around a username for none', async () => {
      expect((await register({ ...account('barbara'), username: ' barbara\n' })).body.username).to.equal(
        'barbara',
      );
    });

    for (const username of ['ad\u200ba', 'a\u3164', 'a\u115f', 'ada\u202e']) {
      it(`refuses invisible characters in a username: ${JSON.stringify(username)}`, async () => {
        const { status, body } = await register({ ...account('invisible'), username });
        expect([status, body.errors[0].pointer]).to.deep.equal([422, '/body/username']);
      });
    }

    it('refuses a username that differs in case only', async () => {
      await register(account('linus'));
      const { status, body } = await register({ ...account('LINUS'), email: 'other@example.org' });
      expect([status, body.code]).to.deep.equal([409, 'username_taken']);
    });

    it('refuses an e-mail address that differs in case only', async () => {
      await register(account('edsger'));
      const { status, body } = await register({ ...account('other'), email: 'Edsger@Example.org' });
      expect([status, body.code]).to.deep.equal([409, 'email_taken']);
    });

    it('lets exactly one of many that ask for the same username at once have it', async () => {
      const asked = Array.from({ length: 12 }, (_, n) =>
        register({ ...account('alan'), email: `alan${n}@example.org` }),
      );
      const statuses = (await Promise.all(asked)).map(({ status }) => status).sort((a, b) => a - b);
      expect(statuses).to.deep.equal([200, ...Array.from({ length: 11 }, () => 409)]);
    });

    it('lets exactly one of many that ask for the same e-mail address at once have it', async () => {
      const asked = Array.from({ length: 12 }, (_, n) =>
        register({ ...account(`many${n}`), email: 'one@example.org' }),
      );
      const codes = (await Promise.all(asked)).map(({ body }) => String(body.code ?? 'ok')).toSorted();
      expect(codes).to.deep.equal([...Array.from({ length: 11 }, () => 'email_taken'), 'ok']);
    });

    const broken: readonly [string, object, string][] = [
      ['a missing username', { username: undefined }, '/body/username'],
      ['a username with a space', { username: 'ada lovelace' }, '/body/username'],
      ['a username that is no text', { username: 5 }, '/body/username'],
      ['a broken e-mail address', { email: 'nobody' }, '/body/email'],
      ['a short password', { password: 'short' }, '/body/password'],
      ['a long password', { password: 'x'.repeat(257) }, '/body/password'],
    ];
    for (const [what, change, pointer] of broken) {
      it(`refuses ${what} and points at it`, async () => {
        const { status, body } = await register({ ...account('broken'), ...change });
        expect([status, body.errors?.map((error: { pointer: string }) => error.pointer)]).to.deep.equal([
          422,
          [pointer],
        ]);
      });
    }
  });

  describe('POST /users/register where registration is switched off', () => {
    it('is refused', async () => {
      const vitrine = await startVitrine(engine, {
        plugins: ['users'],
        settings: { users: { registration: false } },
      });
      const body = { username: 'ada', email: 'ada@example.org', password: 'correct horse' };
      const { status, body: problem } = await vitrine.request('POST', '/users/register', { body });
      await vitrine.stop();
      expect([status, problem.code]).to.deep.equal([403, 'registration_closed']);
    });
  });
});
