import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { DATABASE, newId, INVALIDATION } from '../../../core/index.ts';
import { onEveryEngine, type TestResponse } from '../../../core/testing.ts';
import { ACCOUNT_CHANGED_TOPIC } from '../../../plugins/users/contract.ts';
import { startVitrine, type SignedIn, type Vitrine, type VitrineOptions } from '../../support/vitrine.ts';
import { manualClock } from '../users/manual-clock.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

onEveryEngine((engine) => {
  describe('API keys', () => {
    const clock = manualClock();
    let vitrine: Vitrine;
    let ada: SignedIn;
    let grace: SignedIn;
    let people = 0;

    async function start(settings: VitrineOptions['settings'] = {}): Promise<void> {
      const jwt = { ttl: 86_400 };
      vitrine = await startVitrine(engine, {
        plugins: ['users', 'api-keys'],
        clock,
        settings: { jwt, ...settings },
      });
    }

    async function newPeople(): Promise<void> {
      people += 1;
      ada = await vitrine.user(`ada${people}`);
      grace = await vitrine.user(`grace${people}`);
    }

    function inFuture(milliseconds: number): string {
      return new Date(clock.now() + milliseconds).toISOString();
    }

    function create(body: object = {}, who: SignedIn = ada): Promise<TestResponse> {
      return vitrine.request('POST', '/api-keys', {
        token: who.token,
        body: { name: 'laptop', expires_at: inFuture(HOUR), ...body },
      });
    }

    async function list(who: SignedIn = ada, query = '') {
      return (await vitrine.request('GET', `/api-keys${query}`, { token: who.token })).body;
    }

    function remove(id: string, who: SignedIn = ada): Promise<TestResponse> {
      return vitrine.request('DELETE', `/api-keys/${id}`, { token: who.token });
    }

    describe('created', () => {
      before(() => start());
      beforeEach(newPeople);
      after(() => vitrine.stop());

      it('are answered whole, active and with their owner', async () => {
        const { status, body } = await create();
        expect([status, body.user_id, body.name, body.status]).to.deep.equal([
          200,
          ada.id,
          'laptop',
          'active',
        ]);
        expect(body.key).to.match(/^vk_[0-9A-Za-z]{49}$/);
      });

      it('keep their expiry as UTC with milliseconds', async () => {
        const { body } = await create({ expires_at: '2030-06-01T12:00:00+02:00' });
        expect(body.expires_at).to.equal('2030-06-01T10:00:00.000Z');
      });

      it('are stored as a hash only', async () => {
        const { body } = await create();
        const rows: unknown = await vitrine.get(DATABASE).knex('api_keys_keys').select();
        expect(JSON.stringify(rows)).not.to.contain(body.key.slice(10, 40));
      });

      it('take nothing but name and expiry from the body', async () => {
        const wanted = {
          id: newId(),
          user_id: grace.id,
          key: 'vk_mine',
          status: 'revoked',
          last_used_at: 'x',
        };
        const { body } = await create(wanted);
        expect(body).to.include({ user_id: ada.id, status: 'active', last_used_at: null });
        expect([body.id, body.key]).not.to.include.members([wanted.id]);
      });

      it('are answered and listed with the scopes that they are kept to', async () => {
        const { body } = await create({ scopes: ['read', 'call'] });
        expect([body.scopes, (await list())[0].scopes]).to.deep.equal([
          ['read', 'call'],
          ['read', 'call'],
        ]);
      });

      for (const scopes of [undefined, null]) {
        it(`have all scopes when they are ${scopes}`, async () => {
          const { body } = await create({ scopes });
          expect([body.scopes, (await list())[0].scopes]).to.deep.equal([
            ['read', 'call', 'manage'],
            ['read', 'call', 'manage'],
          ]);
        });
      }

      it('are named without white space around', async () => {
        expect((await create({ name: ' laptop\t' })).body.name).to.equal('laptop');
      });

      for (const scopes of [[], ['write'], ['read', 'read'], 'read']) {
        it(`are refused with the scopes ${JSON.stringify(scopes)}`, async () => {
          const { status, body } = await create({ scopes });
          expect([status, body.errors[0].pointer.slice(0, 12)]).to.deep.equal([422, '/body/scopes']);
        });
      }

      it('are refused at once with a hundred thousand scopes', async () => {
        const { status, body } = await create({ scopes: Array.from({ length: 100_000 }, (_, n) => [n]) });
        expect([status, body.errors]).to.deep.equal([
          422,
          [{ pointer: '/body/scopes', message: 'must have at most 3 entries.' }],
        ]);
      });

      for (const [what, expires_at] of [
        ['in the past', '2020-01-01T00:00:00Z'],
        ['that is no date', 'tomorrow'],
        ['that is a number', 5],
        ['that is missing', undefined],
      ] as const) {
        it(`are refused with an expiry ${what}`, async () => {
          const { status, body } = await create({ expires_at });
          expect([status, body.errors[0].pointer]).to.deep.equal([422, '/body/expires_at']);
        });
      }

      it('are refused with an expiry beyond the year 9999, and say so', async () => {
        const { status, body } = await create({ expires_at: '9999-12-31T23:59:59-12:00' });
        const message = 'must lie before the year 10000.';
        expect([status, body.errors]).to.deep.equal([422, [{ pointer: '/body/expires_at', message }]]);
      });

      it('are refused with an expiry that is right now', async () => {
        expect((await create({ expires_at: inFuture(0) })).status).to.equal(422);
      });

      for (const name of [undefined, '', ' ', 'a\u200bb', 5, 'x'.repeat(201)]) {
        it(`are refused with the name ${JSON.stringify(name)?.slice(0, 20)}`, async () => {
          expect((await create({ name })).body.errors[0].pointer).to.equal('/body/name');
        });
      }
    });

    describe('listed', () => {
      before(() => start());
      beforeEach(newPeople);
      after(() => vitrine.stop());

      it('are masked', async () => {
        const { body } = await create();
        expect((await list())[0].key).to.equal(`${body.key.slice(0, 7)}…${body.key.slice(-4)}`);
      });

      it('are the own ones, newest first', async () => {
        await create({ name: 'first' });
        await create({ name: 'second' });
        await create({ name: 'other' }, grace);
        expect((await list()).map(({ name }: { name: string }) => name)).to.deep.equal(['second', 'first']);
      });

      it('can be paged', async () => {
        await create({ name: 'first' });
        await create({ name: 'second' });
        expect((await list(ada, '?skip=1&limit=1')).map(({ name }: { name: string }) => name)).to.deep.equal([
          'first',
        ]);
      });

      it('are an empty list for who has none', async () => {
        expect(await list()).to.deep.equal([]);
      });

      it('are all active ones, however many were revoked since', async () => {
        await create({ name: 'live' });
        for (let n = 0; n < 101; n += 1) await remove((await create()).body.id);
        expect((await list()).map(({ name }: { name: string }) => name)).to.deep.equal(['live']);
      });

      describe('by their status', () => {
        beforeEach(async () => {
          await create({ name: 'active' });
          await create({ name: 'expired', expires_at: inFuture(1000) });
          await remove((await create({ name: 'revoked' })).body.id);
          clock.advance(1000);
        });

        for (const [query, names] of [
          ['', ['active']],
          ['?status=', ['active']],
          ['?status=active', ['active']],
          ['?status=expired', ['expired']],
          ['?status=revoked', ['revoked']],
          ['?status=all', ['active', 'revoked', 'expired']],
          ['?status=all&skip=1', ['revoked', 'expired']],
          ['?status=all&skip=1&limit=1', ['revoked']],
        ] as const) {
          it(`are ${names.join(', ')} for "${query}"`, async () => {
            const keys: { name: string; status: string }[] = await list(ada, query);
            expect(keys.map(({ name }) => name)).to.deep.equal(names);
            expect(keys.map(({ status }) => status)).to.deep.equal(names);
          });
        }

        it('are those that expire before a time', async () => {
          await create({ name: 'longer', expires_at: inFuture(2 * DAY) });
          const before = (milliseconds: number, status = 'active') =>
            list(ada, `?status=${status}&expires_before=${inFuture(milliseconds)}`);
          const names = (keys: { name: string }[]) => keys.map(({ name }) => name);
          expect(names(await before(DAY))).to.deep.equal(['active']);
          expect(names(await before(3 * DAY))).to.deep.equal(['longer', 'active']);
          expect(names(await before(1, 'all'))).to.deep.equal(['expired']);
        });

        it('cannot expire before a time that cannot be', async () => {
          const { status, errors } = await list(ada, '?expires_before=9999-12-31T23:59:59-23:00');
          expect([status, errors[0].pointer]).to.deep.equal([422, '/query/expires_before']);
        });

        it('are counted', async () => {
          const { headers } = await vitrine.request('GET', '/api-keys?status=all&limit=1', {
            token: ada.token,
          });
          expect(headers['x-total-count']).to.equal('3');
        });

        it('are unknown for another status', async () => {
          expect((await list(ada, '?status=lost')).status).to.equal(422);
        });
      });
    });

    describe('deleted', () => {
      before(() => start());
      beforeEach(newPeople);
      after(() => vitrine.stop());

      it('are revoked', async () => {
        const { body } = await create();
        const answer = await remove(body.id);
        expect([answer.status, typeof answer.body.message]).to.deep.equal([200, 'string']);
        expect((await list(ada, '?status=revoked'))[0].id).to.equal(body.id);
      });

      it('are gone for good thirty days later, and so are expired ones, but no active one', async () => {
        await create({ name: 'expired' });
        await remove((await create({ name: 'revoked', expires_at: inFuture(90 * DAY) })).body.id);
        await create({ name: 'active', expires_at: inFuture(90 * DAY) });
        const left = async (): Promise<string[]> => {
          await vitrine.runJob('api-keys:ended-keys');
          const rows: { name: string }[] = await vitrine
            .get(DATABASE)
            .knex('api_keys_keys')
            .where({ user_id: ada.id })
            .orderBy('name');
          return rows.map(({ name }) => name);
        };
        clock.advance(30 * DAY - 1);
        const before = await left();
        clock.advance(HOUR + 1);
        expect([before, await left()]).to.deep.equal([['active', 'expired', 'revoked'], ['active']]);
      });

      it('may be deleted again', async () => {
        const { body } = await create();
        await remove(body.id);
        expect((await remove(body.id)).status).to.equal(200);
      });

      it('are unknown to others, exactly as if they did not exist', async () => {
        const { body } = await create();
        const [others, nobodys] = [await remove(body.id, grace), await remove(newId(), grace)];
        const seen = ({ status, body: { code, title } }: TestResponse) => [status, code, title];
        expect(seen(others)).to.deep.equal(seen(nobodys));
        expect(others.status).to.equal(404);
      });

      it('are not touched by others', async () => {
        const { body } = await create();
        await remove(body.id, grace);
        expect((await list())[0].status).to.equal('active');
      });

      for (const id of ['1', "' or 1=1", '%00']) {
        it(`are unknown by the id ${id}`, async () => {
          expect((await remove(encodeURIComponent(id))).status).to.equal(404);
        });
      }
    });

    describe('within the bounds of the settings', () => {
      afterEach(() => vitrine.stop());

      it('do not live longer than the longest life', async () => {
        await start({ 'api-keys': { longest_life_days: 1 } });
        await newPeople();
        const statuses = [
          await create({ expires_at: inFuture(25 * HOUR) }),
          await create({ expires_at: inFuture(23 * HOUR) }),
        ];
        expect(statuses.map(({ status }) => status)).to.deep.equal([422, 200]);
      });

      it('are no more than a user may have, not counting revoked ones', async () => {
        await start({ 'api-keys': { active_per_user: 1 } });
        await newPeople();
        const { body } = await create();
        const refused = await create();
        await remove(body.id);
        expect([refused.status, refused.body.code, (await create()).status]).to.deep.equal([
          409,
          'too_many_api_keys',
          200,
        ]);
      });

      it('are no more than a user may have, however many are asked for at once', async () => {
        await start({ 'api-keys': { active_per_user: 3 } });
        await newPeople();
        const answers = await Promise.all(Array.from({ length: 12 }, () => create()));
        expect(answers.filter(({ status }) => status === 200)).to.have.length(3);
      });
    });

    describe('asked for while the tokens of the account end', () => {
      before(() => start());
      beforeEach(newPeople);
      after(() => vitrine.stop());

      for (const [what, change] of [
        ['its password changes', () => ({ tokens_after: newId() })],
        ['it is disabled', () => ({ status: 'disabled' })],
      ] as const) {
        it(`are refused when ${what}, for they would outlive it`, async () => {
          const asked = await vitrine.get(DATABASE).transaction(async (trx) => {
            await trx('users_users').where({ id: ada.id }).update(change());
            vitrine.get(INVALIDATION).publish(trx, ACCOUNT_CHANGED_TOPIC, ada.id);
            const answer = create();
            await pause(100);
            return { answer };
          });
          const { status, body } = await asked.answer;
          expect([status, body.code]).to.deep.equal([401, 'invalid_credentials']);
          const left = await vitrine.get(DATABASE).knex('api_keys_keys').where({ user_id: ada.id });
          expect(left).to.deep.equal([]);
        });
      }
    });
  });
});
