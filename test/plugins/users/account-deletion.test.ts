import { expect } from 'chai';
import { DATABASE, newId } from '../../../core/index.ts';
import { onEveryEngine, type Scratch, type TestResponse } from '../../../core/testing.ts';
import { ACCOUNT_DELETION } from '../../../plugins/users/deletion/account-deletion.ts';
import { CALL_LOG, CALL_STATISTICS } from '../../../plugins/invocation/contract.ts';
import { tokenIn } from '../../support/mailbox.ts';
import { startUpstream, type Upstream } from '../../support/upstream.ts';
import { until } from '../../support/until.ts';
import { PASSWORD, startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

const JOB = 'users:deleted-records';
const DAY = 86_400_000;

onEveryEngine((engine) => {
  describe('the deletion of an account', () => {
    let vitrine: Vitrine;
    let admin: SignedIn;
    let upstream: Upstream;
    let of: { algorithm_id: string; version_id: string };
    let open: () => void;
    let gate: Promise<void>;
    let late = 0;
    let made = 0;

    before(async () => {
      upstream = await startUpstream(async ({ body }) => {
        if (body.input_data.slow) await gate;
        return { echo: body.input_data };
      });
      // Time passes as it does, and jumps where a test says so.
      const clock = { now: () => Date.now() + late, elapsed: () => performance.now() };
      vitrine = await startVitrine(engine, { clock });
      admin = await vitrine.admin();
      const algorithm = await ok('POST', '/algorithms', { name: 'echo', description: 'd', type: 't' });
      const version = { version: '1', url: upstream.url };
      const { id } = await ok('POST', `/algorithms/${algorithm.id}/versions`, version);
      of = { algorithm_id: algorithm.id, version_id: id };
    });
    after(async () => {
      await vitrine?.stop();
      await upstream?.stop();
    });
    beforeEach(() => {
      gate = new Promise((resolve) => (open = resolve));
    });

    const send = (method: string, path: string, body?: object, token = admin.token): Promise<TestResponse> =>
      vitrine.request(method, path, { token, ...(body && { body }) });
    async function ok(method: string, path: string, body?: object, token = admin.token) {
      const answer = await send(method, path, body, token);
      expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).to.equal(200);
      return answer.body;
    }
    const person = (): Promise<SignedIn> => vitrine.user(`leaver-${(made += 1)}`);
    const call = (token: string, input_data: object = {}) =>
      send('POST', '/algorithms/call', { ...of, input_data }, token);
    const recordsOf = (userId: string) => vitrine.get(CALL_LOG).count({ userId });
    const totalsOf = async (userId: string) =>
      (await vitrine.get(CALL_STATISTICS).totals({ userId })).total_calls;
    const rowsOf = async (table: string, userId: string, column = 'user_id'): Promise<number> =>
      (
        await vitrine
          .get(DATABASE)
          .knex(table)
          .where({ [column]: userId })
          .select()
      ).length;

    it('takes keys, sessions and grants with it, at once', async () => {
      const leaver = await person();
      const expiry = { name: 'k', expires_at: '2099-01-01T00:00:00Z' };
      const { key } = await ok('POST', '/api-keys', expiry, leaver.token);
      const grant = { algorithm_id: of.algorithm_id, user_id: leaver.id, permission_type: 'manage' };
      await ok('POST', '/permissions/grants', grant);
      const { message } = await ok('DELETE', `/users/${leaver.id}`);
      expect(message).to.equal('The account was deleted. Its records stay.');
      const byKey = await vitrine.request('GET', '/users/me', { headers: { 'x-api-key': key } });
      const byToken = await send('GET', '/users/me', undefined, leaver.token);
      const login = { username: leaver.username, password: PASSWORD };
      const byPassword = await vitrine.request('POST', '/users/login', { body: login });
      expect([byKey.status, byToken.status, byPassword.status]).to.deep.equal([401, 401, 401]);
      for (const table of ['users_sessions', 'users_links', 'api_keys_keys']) {
        expect(await rowsOf(table, leaver.id), table).to.equal(0);
      }
      expect(await rowsOf('permissions_grants', leaver.id, 'grantee_id')).to.equal(0);
    });

    it('frees the name and the address', async () => {
      const { id, username } = await person();
      await ok('DELETE', `/users/${id}`);
      const account = { username, email: `${username}@example.org`, password: PASSWORD };
      expect((await ok('POST', '/users/register', account)).id).not.to.equal(id);
    });

    it('leaves the records under a name that says so', async () => {
      const leaver = await person();
      const { body: record } = await call(leaver.token, { n: 1 });
      await ok('DELETE', `/users/${leaver.id}`);
      await vitrine.runJob(JOB);
      const kept = await ok('GET', `/algorithms/calls/${record.id}`);
      expect([kept.user_id, kept.output_data]).to.deep.equal([leaver.id, { echo: { n: 1 } }]);
      const account = await ok('GET', `/users/${leaver.id}`);
      expect(account).to.include({
        username: `deleted user ${leaver.id.slice(-12)}`,
        email: '',
        role: 'user',
        status: 'deleted',
      });
      expect(JSON.stringify(account)).not.to.include(leaver.username);
    });

    it('is in lists on request only', async () => {
      const { id } = await person();
      await ok('DELETE', `/users/${id}`);
      const idsOf = async (query: string): Promise<string[]> =>
        (await ok('GET', `/users?limit=1000${query}`)).users.map((user: { id: string }) => user.id);
      expect(await idsOf('')).not.to.include(id);
      expect(await idsOf('&status=active')).not.to.include(id);
      expect(await idsOf('&status=deleted')).to.include(id);
    });

    it('is final: nothing changes it, and it is deleted once', async () => {
      const { id } = await person();
      await ok('DELETE', `/users/${id}`);
      const answers = [
        await send('DELETE', `/users/${id}`),
        await send('PATCH', `/users/${id}`, { status: 'active' }),
        await send('POST', `/users/${id}/password-reset`),
        await send('DELETE', `/users/${newId()}`),
        await send('DELETE', '/users/1'),
      ];
      expect(answers.map(({ body }) => body.code)).to.deep.equal(Array(5).fill('user_not_found'));
    });

    it('lets a call that runs end, and records it', async () => {
      const leaver = await person();
      const running = call(leaver.token, { slow: true });
      await until(() => upstream.requests.some(({ body }) => body.input_data.slow));
      await ok('DELETE', `/users/${leaver.id}`);
      expect((await call(leaver.token)).status, 'a new one').to.equal(401);
      open();
      const { status, body } = await running;
      expect([status, body.status, body.user_id]).to.deep.equal([200, 'success', leaver.id]);
      expect(await recordsOf(leaver.id)).to.equal(1);
    });

    it('takes the records with it when that is asked, and keeps the figures of algorithms', async () => {
      const leaver = await person();
      const stayer = await person();
      for (let n = 0; n < 3; n += 1) await call(leaver.token);
      await call(stayer.token);
      const figures = async () => {
        await vitrine.runJob('invocation:fold-series');
        const series = `/monitoring/series?algorithm_id=${of.algorithm_id}`;
        const { total_calls } = await vitrine.get(CALL_STATISTICS).totals({ algorithmId: of.algorithm_id });
        return [total_calls, (await ok('GET', series)).total.success];
      };
      const before = await figures();
      const kept = await vitrine.get(CALL_LOG).count({});
      await ok('DELETE', `/users/${leaver.id}?records=delete`);
      await vitrine.runJob(JOB);
      expect([await recordsOf(leaver.id), await totalsOf(leaver.id)]).to.deep.equal([0, 0]);
      expect(await rowsOf('invocation_user_series', leaver.id)).to.equal(0);
      expect(await rowsOf('invocation_caller_series', leaver.id)).to.equal(0);
      expect(await rowsOf('invocation_user_totals', leaver.id)).to.equal(0);
      expect([await recordsOf(stayer.id), await totalsOf(stayer.id)]).to.deep.equal([1, 1]);
      expect(await vitrine.get(CALL_LOG).count({}), 'the count of all').to.equal(kept - 3);
      expect(await figures()).to.deep.equal(before);
    });

    it('takes the record of a call that ends afterwards as well', async () => {
      const leaver = await person();
      upstream.requests.length = 0;
      const running = call(leaver.token, { slow: true });
      await until(() => upstream.requests.length > 0);
      await ok('DELETE', `/users/${leaver.id}?records=delete`);
      await vitrine.runJob(JOB);
      open();
      expect((await running).status).to.equal(200);
      expect(await recordsOf(leaver.id)).to.equal(1);
      await vitrine.runJob(JOB);
      expect([await recordsOf(leaver.id), await totalsOf(leaver.id)]).to.deep.equal([0, 0]);
      expect(await rowsOf('users_records_to_delete', leaver.id)).to.equal(1);
      late += DAY + 1000;
      await vitrine.runJob(JOB);
      expect(await rowsOf('users_records_to_delete', leaver.id)).to.equal(0);
      late = 0;
    });

    it('may be asked for the records later', async () => {
      const leaver = await person();
      await call(leaver.token);
      await ok('DELETE', `/users/${leaver.id}`);
      await ok('DELETE', `/users/${leaver.id}?records=delete`);
      await vitrine.runJob(JOB);
      expect(await recordsOf(leaver.id)).to.equal(0);
      expect((await ok('GET', `/users/${leaver.id}`)).status).to.equal('deleted');
    });

    it('ends between two transactions when the job must stop', async () => {
      const leaver = await person();
      await call(leaver.token);
      await ok('DELETE', `/users/${leaver.id}?records=delete`);
      await vitrine.get(ACCOUNT_DELETION).deleteRecords(AbortSignal.abort());
      expect(await recordsOf(leaver.id)).to.equal(1);
    });

    it('is for administrators', async () => {
      const [one, other] = [await person(), await person()];
      expect((await send('DELETE', `/users/${other.id}`, undefined, one.token)).status).to.equal(403);
    });

    describe('by its owner', () => {
      const remove = (who: SignedIn, password: string, more: object = {}) =>
        send('DELETE', '/users/me', { password, ...more }, who.token);

      it('needs the password', async () => {
        const leaver = await person();
        const wrong = await remove(leaver, 'not the password');
        expect([wrong.status, wrong.body.code]).to.deep.equal([403, 'wrong_password']);
        expect((await send('DELETE', '/users/me', {}, leaver.token)).status).to.equal(422);
        expect((await remove(leaver, PASSWORD)).status).to.equal(200);
        expect((await send('GET', '/users/me', undefined, leaver.token)).status).to.equal(401);
      });

      it('is slowed down like guessing', async () => {
        const leaver = await person();
        for (let n = 0; n < 10; n += 1) await remove(leaver, 'not the password');
        expect((await remove(leaver, PASSWORD)).status).to.equal(429);
      });

      it('has the browser forget its session', async () => {
        const { username } = await person();
        const login = { username, password: PASSWORD };
        const { headers } = await vitrine.request('POST', '/users/session', { body: login });
        const cookie = headers['set-cookie']!.split(';')[0]!;
        const answer = await vitrine.request('DELETE', '/users/me', {
          headers: { cookie, 'sec-fetch-site': 'same-origin' },
          body: { password: PASSWORD, records: 'delete' },
        });
        expect([answer.status, answer.headers['set-cookie']?.includes('Max-Age=0')]).to.deep.equal([
          200,
          true,
        ]);
      });
    });

    describe('of administrators', () => {
      const removeOwn = (who: SignedIn) => send('DELETE', '/users/me', { password: PASSWORD }, who.token);

      it('leaves the last one', async () => {
        for (const answer of [await removeOwn(admin), await send('DELETE', `/users/${admin.id}`)]) {
          expect([answer.status, answer.body.code]).to.deep.equal([409, 'last_administrator']);
        }
        expect((await send('GET', '/users/me')).status).to.equal(200);
      });

      it('leaves one when two go at once, by whichever way', async () => {
        const ways = [
          (who: SignedIn) => removeOwn(who),
          (who: SignedIn) => send('DELETE', `/users/${who.id}`, undefined, who.token),
        ];
        for (const one of ways) {
          for (const other of ways) {
            const rival = await person();
            await ok('PATCH', `/users/${rival.id}`, { role: 'admin' });
            const before = admin;
            const answers = await Promise.all([one(before), other(rival)]);
            const codes = answers.map(({ status, body }) => (status === 200 ? 200 : body.code));
            expect(codes).to.have.members([200, 'last_administrator']);
            if (answers[0]!.status === 200) admin = rival;
            else expect((await send('GET', '/users/me')).body.role).to.equal('admin');
          }
        }
      });

      it('leaves one when two delete each other', async () => {
        const rival = await person();
        await ok('PATCH', `/users/${rival.id}`, { role: 'admin' });
        const answers = await Promise.all([
          send('DELETE', `/users/${rival.id}`),
          send('DELETE', `/users/${admin.id}`, undefined, rival.token),
        ]);
        const statuses = answers.map(({ status }) => status);
        expect(statuses.filter((status) => status === 200)).to.have.length(1);
        expect(statuses.filter((status) => status === 401 || status === 403)).to.have.length(1);
        if (answers[1]!.status === 200) admin = rival;
      });
    });
  });

  if (engine === 'postgres') {
    describe('an account on two instances', () => {
      let scratch: Scratch;
      const running: Vitrine[] = [];
      before(async () => {
        scratch = await migratedScratch(engine);
        for (let n = 0; n < 2; n += 1) running.push(await startVitrine(engine, { scratch }));
      });
      after(async () => {
        for (const vitrine of running) await vitrine.stop();
        await scratch.remove();
      });

      it('is refused by the other within two seconds once it was deleted, and so are its key and its link', async () => {
        const [one, other] = running as [Vitrine, Vitrine];
        const { token: admin } = await one.admin();
        const { id, token } = await one.user('leaver');
        const expiry = { name: 'k', expires_at: '2099-01-01T00:00:00Z' };
        const { key } = (await one.request('POST', '/api-keys', { token, body: expiry })).body;
        const reset = await one.request('POST', `/users/${id}/password-reset`, { token: admin });
        const byToken = () => other.request('GET', '/users/me', { token });
        const byKey = () => other.request('GET', '/users/me', { headers: { 'x-api-key': key } });
        expect([(await byToken()).status, (await byKey()).status]).to.deep.equal([200, 200]);
        await one.request('DELETE', `/users/${id}`, { token: admin });
        await until(async () => (await byToken()).status === 401 && (await byKey()).status === 401, 2_500);
        const body = { token: tokenIn(reset.body.url), password: PASSWORD };
        expect((await other.request('POST', '/users/password-reset/confirm', { body })).status).to.equal(409);
      });

      it('leaves one administrator when two are deleted at once, one by each', async () => {
        const [one, other] = running as [Vitrine, Vitrine];
        const admin = await one.admin();
        const rival = await one.user('rival');
        const body = { role: 'admin' };
        await one.request('PATCH', `/users/${rival.id}`, { token: admin.token, body });
        await until(
          async () => (await other.request('GET', '/users', { token: rival.token })).status === 200,
        );
        const own = { body: { password: PASSWORD } };
        const answers = await Promise.all([
          one.request('DELETE', '/users/me', { token: admin.token, ...own }),
          other.request('DELETE', '/users/me', { token: rival.token, ...own }),
        ]);
        expect(answers.map(({ status }) => status)).to.have.members([200, 409]);
      });
    });
  }

  describe('a registration after the deletion of all that was', () => {
    let scratch: Scratch;
    before(async () => {
      scratch = await migratedScratch(engine);
    });
    after(() => scratch.remove());

    it('makes no administrator', async () => {
      const vitrine = await startVitrine(engine, { plugins: ['users'], scratch });
      const admin = await vitrine.admin();
      await vitrine.get(DATABASE).knex('users_users').where({ id: admin.id }).update({ role: 'user' });
      await vitrine.request('DELETE', '/users/me', { token: admin.token, body: { password: PASSWORD } });
      const state = await vitrine.request('GET', '/users/registration');
      await vitrine.stop();
      expect(state.body.makes_administrator).to.equal(false);
    });
  });
});
