import { expect } from 'chai';
import { DATABASE, EVENTS, newId, TOKEN_ISSUER } from '../../../core/index.ts';
import { onEveryEngine, type Scratch, type TestResponse } from '../../../core/testing.ts';
import { keyExpiresSoon } from '../../../plugins/api-keys/contract.ts';
import { HEARD_ELSEWHERE_MS, until } from '../../support/until.ts';
import { startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';
import { manualClock } from '../users/manual-clock.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const plugins = ['users', 'api-keys', 'catalogue'];

onEveryEngine((engine) => {
  describe('API keys that are changed', () => {
    const clock = manualClock();
    let vitrine: Vitrine;
    let admin: SignedIn;
    let ada: SignedIn;
    let grace: SignedIn;
    let key: { id: string; key: string; user_id: string };

    const inFuture = (milliseconds: number) => new Date(clock.now() + milliseconds).toISOString();
    // The clock passes the ends of tokens.
    const tokenOf = ({ id }: SignedIn) => vitrine.get(TOKEN_ISSUER).issue(id).token;
    const send = (method: string, path: string, body?: object, who = ada): Promise<TestResponse> =>
      vitrine.request(method, `/api-keys${path}`, { token: tokenOf(who), ...(body ? { body } : {}) });
    const change = (body: object, who = ada) => send('PATCH', `/${key.id}`, body, who);
    const rotate = (body: object = {}, who = ada) => send('POST', `/${key.id}/rotate`, body, who);
    const make = async (life = 90 * DAY, who = ada) =>
      (await send('POST', '', { name: 'laptop', expires_at: inFuture(life) }, who)).body;
    const statusOf = async (secret: string, path = '/users/me', service = vitrine) =>
      (await service.request('GET', path, { headers: { 'x-api-key': secret } })).status;

    before(async () => {
      vitrine = await startVitrine(engine, { plugins, clock });
      admin = await vitrine.admin();
      [ada, grace] = [await vitrine.user('ada'), await vitrine.user('grace')];
    });
    beforeEach(async () => {
      key = await make();
    });
    after(() => vitrine.stop());

    describe('by PATCH', () => {
      it('have the new name and expiry, and what was not named as before', async () => {
        const { status, body } = await change({ name: 'desk', expires_at: inFuture(DAY) });
        expect([status, body.name, body.expires_at]).to.deep.equal([200, 'desk', inFuture(DAY)]);
        expect(body.scopes).to.deep.equal(['read', 'call', 'manage']);
        expect(body.key).to.match(/^vk_.{4}….{4}$/);
        expect(await statusOf(key.key)).to.equal(200);
      });

      it('have their new scopes with the next request, and all of them again', async () => {
        expect(await statusOf(key.key)).to.equal(200);
        await change({ scopes: ['call'] });
        expect(await statusOf(key.key)).to.equal(403);
        await change({ scopes: ['read', 'call', 'manage'] });
        expect(await statusOf(key.key)).to.equal(200);
      });

      it('end at the new expiry', async () => {
        expect(await statusOf(key.key)).to.equal(200);
        await change({ expires_at: inFuture(1000) });
        clock.advance(1000);
        expect(await statusOf(key.key)).to.equal(401);
      });

      for (const [field, value] of [
        ['id', newId()],
        ['user_id', newId()],
        ['key', 'vk_mine'],
        ['status', 'revoked'],
        ['expires_soon', true],
        ['previous_expires_at', '2020-01-01T00:00:00.000Z'],
        ['created_at', '2020-01-01T00:00:00.000Z'],
      ] as const) {
        it(`are refused another ${field}, by its name`, async () => {
          const { status, body } = await change({ name: 'desk', [field]: value });
          expect([status, body.errors[0].pointer]).to.deep.equal([422, `/body/${field}`]);
        });
      }

      it('may be sent whole as they were listed', async () => {
        const [listed] = (await send('GET', '')).body;
        expect((await change({ ...listed, name: 'desk' })).status).to.equal(200);
      });

      it('stay as they are when they are sent as they were listed, or with nothing', async () => {
        const [listed] = (await send('GET', '')).body;
        clock.advance(1000);
        for (const body of [listed, {}]) {
          expect((await change(body)).body).to.deep.equal(listed);
        }
      });

      for (const body of [{ scopes: [] }, { expires_at: '2020-01-01T00:00:00Z' }, { networks: [] }]) {
        it(`are refused ${JSON.stringify(body)}`, async () => {
          const { status, body: problem } = await change(body);
          expect([status, problem.errors[0].pointer]).to.deep.equal([422, `/body/${Object.keys(body)[0]}`]);
        });
      }

      it('are unknown to others and to administrators', async () => {
        for (const who of [grace, admin]) {
          expect((await change({ name: 'x' }, who)).status).to.equal(404);
          expect((await rotate({}, who)).body.code).to.equal('api_key_not_found');
        }
      });

      it('cannot be changed or rotated when they were revoked or have expired', async () => {
        const expired = await make(1000);
        clock.advance(1000);
        await send('DELETE', `/${key.id}`);
        for (const { id } of [key, expired]) {
          for (const answer of [
            await send('PATCH', `/${id}`, { expires_at: inFuture(DAY) }),
            await send('POST', `/${id}/rotate`, {}),
          ]) {
            expect([answer.status, answer.body.code]).to.deep.equal([409, 'api_key_ended']);
          }
        }
      });

      it('cannot change themselves', async () => {
        const headers = { 'x-api-key': key.key };
        const path = `/api-keys/${key.id}`;
        const answers = [
          await vitrine.request('PATCH', path, { headers, body: { name: 'x' } }),
          await vitrine.request('POST', `${path}/rotate`, { headers, body: {} }),
        ];
        expect(answers.map(({ status }) => status)).to.deep.equal([403, 403]);
      });
    });

    describe('by a rotation', () => {
      it('are the same key with a new secret, and the one before ends at once', async () => {
        expect(await statusOf(key.key)).to.equal(200);
        const { body } = await rotate();
        expect(body).to.include({ id: key.id, previous_expires_at: null });
        expect(body.last_used_at).to.be.a('string');
        expect(body.key).to.match(/^vk_[0-9A-Za-z]{49}$/);
        expect([await statusOf(body.key), await statusOf(key.key)]).to.deep.equal([200, 401]);
      });

      it('work with the secret before until the overlap ends', async () => {
        const { body } = await rotate({ overlap_seconds: 60 });
        expect(body.previous_expires_at).to.equal(inFuture(60_000));
        expect([await statusOf(body.key), await statusOf(key.key)]).to.deep.equal([200, 200]);
        clock.advance(60_000);
        expect([await statusOf(body.key), await statusOf(key.key)]).to.deep.equal([200, 401]);
        expect((await send('GET', '')).body[0].previous_expires_at).to.equal(null);
      });

      it('leave no more than two secrets', async () => {
        const { body: second } = await rotate({ overlap_seconds: 60 });
        expect(await statusOf(key.key)).to.equal(200);
        const { body: third } = await rotate({ overlap_seconds: 60 });
        const statuses = [await statusOf(key.key), await statusOf(second.key), await statusOf(third.key)];
        expect(statuses).to.deep.equal([401, 200, 200]);
      });

      it('are revoked with both secrets', async () => {
        const { body } = await rotate({ overlap_seconds: 60 });
        expect([await statusOf(body.key), await statusOf(key.key)]).to.deep.equal([200, 200]);
        await send('DELETE', `/${key.id}`);
        expect([await statusOf(body.key), await statusOf(key.key)]).to.deep.equal([401, 401]);
      });

      it('keep no secret in the database', async () => {
        const { body } = await rotate({ overlap_seconds: 60 });
        const rows = JSON.stringify(await vitrine.get(DATABASE).knex('api_keys_keys').select());
        for (const secret of [key.key, body.key]) expect(rows).not.to.include(secret.slice(10, 40));
      });

      for (const overlap_seconds of [-1, 2_592_001, 1.5, '60']) {
        it(`are refused an overlap of ${JSON.stringify(overlap_seconds)}`, async () => {
          const { status, body } = await rotate({ overlap_seconds });
          expect([status, body.errors[0].pointer]).to.deep.equal([422, '/body/overlap_seconds']);
        });
      }
    });

    describe('by administrators', () => {
      it('are shown one by one, to nobody else but the owner', async () => {
        const [own, theirs, others] = await Promise.all(
          [ada, admin, grace].map((who) => send('GET', `/${key.id}`, undefined, who)),
        );
        expect(own!.body).to.deep.include({ id: key.id, status: 'active', last_used_at: null });
        expect(own!.body.key).to.match(/^vk_.{4}….{4}$/);
        expect(theirs!.body).to.deep.equal(own!.body);
        expect([others!.status, others!.body.code]).to.deep.equal([404, 'api_key_not_found']);
      });

      it('are listed for one account and for everybody, masked', async () => {
        await make(DAY, grace);
        const of = async (who: string) => (await send('GET', `?user_id=${who}`, undefined, admin)).body;
        const [ofAda, ofAll] = [await of(ada.id), await of('all')];
        const owners = (keys: { user_id: string }[]) => new Set(keys.map(({ user_id }) => user_id));
        expect([...owners(ofAda)]).to.deep.equal([ada.id]);
        expect([...owners(ofAll)]).to.have.members([ada.id, grace.id]);
        for (const { key: shown } of ofAll) expect(shown).to.match(/^vk_.{4}….{4}$/);
      });

      it('are listed to nobody else', async () => {
        for (const who of ['all', ada.id]) {
          const { status, body } = await send('GET', `?user_id=${who}`, undefined, grace);
          expect([status, body.code]).to.deep.equal([403, 'forbidden']);
        }
        expect((await send('GET', `?user_id=${ada.id}`)).status).to.equal(200);
      });

      it('are refused for what is no account', async () => {
        const { status, body } = await send('GET', '?user_id=ada', undefined, admin);
        expect([status, body.errors[0].pointer]).to.deep.equal([422, '/query/user_id']);
      });

      it('are revoked', async () => {
        expect(await statusOf(key.key)).to.equal(200);
        expect((await send('DELETE', `/${key.id}`, undefined, admin)).status).to.equal(200);
        expect(await statusOf(key.key)).to.equal(401);
        expect((await send('DELETE', `/${newId()}`, undefined, admin)).status).to.equal(404);
      });
    });

    describe('when they expire soon', () => {
      const warned: string[] = [];

      before(() => {
        const bus = vitrine.get(EVENTS) as unknown as { listen: (...args: unknown[]) => void };
        bus.listen(keyExpiresSoon, 'test', ({ key_id }: { key_id: string }) => void warned.push(key_id));
      });

      const listed = async () => {
        const keys: { id: string; expires_soon: boolean }[] = (await send('GET', '')).body;
        return keys.find(({ id }) => id === key.id)?.expires_soon;
      };
      const timesWarned = async () => {
        await vitrine.runJob('api-keys:expiry-warnings');
        await new Promise((resolve) => setImmediate(resolve));
        return warned.filter((id) => id === key.id).length;
      };

      it('say so in the list, and are announced once', async () => {
        clock.advance(83 * DAY - 1000);
        expect([await listed(), await timesWarned()]).to.deep.equal([false, 0]);
        clock.advance(1000);
        expect([await listed(), await timesWarned(), await timesWarned()]).to.deep.equal([true, 1, 1]);
      });

      it('are announced again for another expiry', async () => {
        clock.advance(84 * DAY);
        expect(await timesWarned()).to.equal(1);
        await change({ expires_at: inFuture(30 * DAY) });
        expect([await listed(), await timesWarned()]).to.deep.equal([false, 1]);
        clock.advance(24 * DAY);
        expect([await listed(), await timesWarned()]).to.deep.equal([true, 2]);
      });

      it('are not announced again when the same expiry is sent', async () => {
        clock.advance(84 * DAY);
        expect(await timesWarned()).to.equal(1);
        const [listed] = (await send('GET', '')).body;
        expect((await change({ ...listed, name: 'desk' })).body.name).to.equal('desk');
        expect(await timesWarned()).to.equal(1);
      });

      it('are not announced when they were made for a short time', async () => {
        key = await make(6 * DAY);
        expect([await listed(), await timesWarned()]).to.deep.equal([false, 0]);
      });

      it('are not announced when they were revoked', async () => {
        await send('DELETE', `/${key.id}`);
        clock.advance(84 * DAY);
        expect(await timesWarned()).to.equal(0);
      });
    });
  });

  describe('API keys and a second instance', () => {
    let scratch: Scratch;
    const running: Vitrine[] = [];

    before(async function () {
      // Several processes share a database on PostgreSQL only.
      if (engine === 'sqlite') return this.skip();
      scratch = await migratedScratch(engine);
      for (let n = 0; n < 2; n += 1) running.push(await startVitrine(engine, { plugins, scratch }));
    });
    after(async () => {
      await Promise.all(running.map((vitrine) => vitrine.stop()));
      await scratch?.remove();
    });

    it('are changed and rotated there, too', async () => {
      const [here, there] = running as [Vitrine, Vitrine];
      const { token } = await here.user('ada');
      const body = { name: 'x', expires_at: '2999-01-01T00:00:00Z' };
      const { id, key } = (await here.request('POST', '/api-keys', { token, body })).body;
      const statusThere = async () =>
        (await there.request('GET', '/users/me', { headers: { 'x-api-key': key } })).status;
      const becomes = (status: number) =>
        until(async () => (await statusThere()) === status, HEARD_ELSEWHERE_MS);
      await becomes(200);
      await here.request('PATCH', `/api-keys/${id}`, { token, body: { scopes: ['call'] } });
      await becomes(403);
      await here.request('POST', `/api-keys/${id}/rotate`, { token, body: {} });
      await becomes(401);
    });
  });
});
