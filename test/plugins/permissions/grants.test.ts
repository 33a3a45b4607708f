import { expect } from 'chai';
import { DATABASE, EVENTS, type Transaction } from '../../../core/index.ts';
import { CATALOGUE, ALGORITHM_RIGHTS } from '../../../plugins/catalogue/contract.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import type { SignedIn } from '../../support/vitrine.ts';
import { openShowcase, type Showcase } from '../catalogue/support/showcase.ts';
import { until } from '../../support/until.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';

describe('Grants', () => {
  onEveryEngine((engine) => {
    let showcase: Showcase;
    let manager: SignedIn;
    let user: SignedIn;
    let algorithmId: string;

    const grant = (as: Pick<SignedIn, 'token'> | undefined, to: SignedIn, kind: string, on = algorithmId) =>
      showcase.as(as, 'POST', '/permissions/grants', {
        algorithm_id: on,
        user_id: to.id,
        permission_type: kind,
      });

    const may = async (who: Pick<SignedIn, 'token'>, kind: string, what = algorithmId): Promise<boolean> => {
      const body = { algorithm_id: what, permission_type: kind };
      return (await showcase.as(who, 'POST', '/permissions/check', body)).body.has_permission;
    };

    before(async () => {
      showcase = await openShowcase(engine);
      manager = await showcase.service.user('manager');
      user = await showcase.service.user('user');
    });
    after(() => showcase.service.stop());

    beforeEach(async () => {
      algorithmId = await showcase.algorithm({ access: 'restricted' });
    });

    describe('checking a permission', () => {
      it('answers about the caller, and says about whom and what', async () => {
        const body = { algorithm_id: algorithmId, permission_type: 'execute', user_id: manager.id };
        const checked = await showcase.as(user, 'POST', '/permissions/check', body);
        expect(checked.body).to.deep.equal({
          has_permission: false,
          user_id: user.id,
          algorithm_id: algorithmId,
          permission_type: 'execute',
        });
      });

      it('lets everybody execute an open algorithm and nobody but administrators manage it', async () => {
        const open = await showcase.algorithm();
        expect(await may(user, 'execute', open)).to.equal(true);
        expect(await may(user, 'manage', open)).to.equal(false);
        expect(await may(showcase.admin, 'manage', open)).to.equal(true);
      });

      it('lets everybody read a restricted algorithm, and only administrators execute it', async () => {
        expect(await may(user, 'read')).to.equal(true);
        expect(await may(user, 'execute')).to.equal(false);
        expect(await may(showcase.admin, 'execute')).to.equal(true);
      });

      it('answers for an API key as for its owner', async () => {
        await grant(showcase.admin, user, 'execute');
        expect(await may(await showcase.keyOf(user), 'execute')).to.equal(true);
      });

      for (const kind of ['write', 'Execute', '', 7, null]) {
        it(`refuses the permission type ${JSON.stringify(kind)}`, async () => {
          const body = { algorithm_id: algorithmId, permission_type: kind };
          const checked = await showcase.as(user, 'POST', '/permissions/check', body);
          expect([checked.status, checked.body.errors[0].pointer]).to.deep.equal([
            422,
            '/body/permission_type',
          ]);
        });
      }

      it('refuses a body without an algorithm', async () => {
        const checked = await showcase.as(user, 'POST', '/permissions/check', { permission_type: 'read' });
        expect(checked.status).to.equal(422);
      });

      for (const id of [UNKNOWN, 'nonsense', '']) {
        it(`does not know the algorithm "${id}"`, async () => {
          const body = { algorithm_id: id, permission_type: 'execute' };
          const checked = await showcase.as(user, 'POST', '/permissions/check', body);
          expect([checked.status, checked.body.code]).to.deep.equal([404, 'algorithm_not_found']);
        });
      }

      it('needs somebody who signed in', async () => {
        const body = { algorithm_id: algorithmId, permission_type: 'execute' };
        expect((await showcase.as(undefined, 'POST', '/permissions/check', body)).status).to.equal(401);
      });
    });

    describe('what a grant gives', () => {
      for (const [kind, rights] of [
        ['read', [true, false, false]],
        ['execute', [true, true, false]],
        ['manage', [true, true, true]],
      ] as const) {
        it(`is read, execute, manage = ${rights.join(', ')} for ${kind}`, async () => {
          expect(await may(user, 'execute')).to.equal(false);
          await grant(showcase.admin, user, kind);
          expect([
            await may(user, 'read'),
            await may(user, 'execute'),
            await may(user, 'manage'),
          ]).to.deep.equal(rights);
        });
      }

      it('holds for one algorithm and one account only', async () => {
        await grant(showcase.admin, user, 'execute');
        expect(await may(manager, 'execute')).to.equal(false);
        expect(await may(user, 'execute', await showcase.algorithm({ access: 'restricted' }))).to.equal(
          false,
        );
      });

      it('ends at once when the grant is deleted', async () => {
        const { body } = await grant(showcase.admin, user, 'execute');
        expect(await may(user, 'execute')).to.equal(true);
        await showcase.as(showcase.admin, 'DELETE', `/permissions/grants/${body.id}`);
        expect(await may(user, 'execute')).to.equal(false);
      });

      it('is known without a promise once it was asked for', async () => {
        await grant(showcase.admin, user, 'execute');
        await may(user, 'execute');
        const { service } = showcase;
        const algorithm = await service.get(CATALOGUE).algorithm(algorithmId);
        const principal = {
          kind: 'user',
          userId: user.id,
          username: 'user',
          role: 'user',
          via: 'token',
          credentialId: UNKNOWN,
        } as const;
        expect(service.get(ALGORITHM_RIGHTS).may(principal, algorithm, 'execute')).to.equal(true);
      });
    });

    describe('granting', () => {
      it('answers the grant', async () => {
        const { status, body } = await grant(showcase.admin, user, 'execute');
        expect(status).to.equal(200);
        expect(body).to.include({ algorithm_id: algorithmId, user_id: user.id, permission_type: 'execute' });
        expect(body).to.have.all.keys(
          'id',
          'algorithm_id',
          'user_id',
          'group_id',
          'everyone',
          'permission_type',
          'granted_by',
          'created_at',
          'expires_at',
        );
      });

      it('takes nothing else from the body', async () => {
        const { body } = await showcase.as(showcase.admin, 'POST', '/permissions/grants', {
          algorithm_id: algorithmId,
          user_id: user.id,
          permission_type: 'read',
          id: UNKNOWN,
          granted_by: user.id,
          created_at: '2000-01-01T00:00:00.000Z',
        });
        expect(body.id).to.not.equal(UNKNOWN);
        expect(body.granted_by).to.equal(showcase.admin.id);
        expect(body.created_at > '2020').to.equal(true);
      });

      it('is refused with 409 the second time', async () => {
        await grant(showcase.admin, user, 'execute');
        const again = await grant(showcase.admin, user, 'execute');
        expect([again.status, again.body.code]).to.deep.equal([409, 'grant_exists']);
      });

      it('happens once when it is asked for many times at once', async () => {
        const answers = await Promise.all(
          Array.from({ length: 8 }, () => grant(showcase.admin, user, 'execute')),
        );
        const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
        expect(statuses).to.deep.equal([200, 409, 409, 409, 409, 409, 409, 409]);
      });

      it('does not know an account that does not exist', async () => {
        const answer = await grant(showcase.admin, { ...user, id: UNKNOWN }, 'execute');
        expect([answer.status, answer.body.code]).to.deep.equal([404, 'grantee_not_found']);
      });

      it('does not know an algorithm that does not exist', async () => {
        const answer = await grant(showcase.admin, user, 'execute', UNKNOWN);
        expect([answer.status, answer.body.code]).to.deep.equal([404, 'algorithm_not_found']);
      });

      it('is for those who manage the algorithm', async () => {
        expect((await grant(manager, user, 'execute')).status).to.equal(403);
        await grant(showcase.admin, manager, 'manage');
        expect((await grant(manager, user, 'execute')).status).to.equal(200);
      });

      for (const kind of ['execute', 'manage']) {
        it(`of "${kind}" to oneself is refused: it would outlast the right to manage the algorithm`, async () => {
          await grant(showcase.admin, manager, 'manage');
          const { status, body } = await grant(manager, manager, kind);
          expect([status, body.code]).to.deep.equal([409, 'grant_exists']);
        });
      }

      it('to oneself is for administrators', async () => {
        expect((await grant(showcase.admin, showcase.admin, 'execute')).status).to.equal(200);
      });

      it('is not for those who may only execute it', async () => {
        await grant(showcase.admin, manager, 'execute');
        expect((await grant(manager, user, 'execute')).status).to.equal(403);
        expect(await may(user, 'execute')).to.equal(false);
      });

      it('needs somebody who signed in', async () => {
        expect((await grant(undefined, user, 'execute')).status).to.equal(401);
      });
    });

    describe('listing', () => {
      const list = (who: Pick<SignedIn, 'token'> | undefined, query: string) =>
        showcase.as(who, 'GET', `/permissions/grants${query}`);

      it('shows the grants on an algorithm, newest first, and how many there are', async () => {
        const first = (await grant(showcase.admin, user, 'read')).body.id;
        const second = (await grant(showcase.admin, user, 'execute')).body.id;
        const third = (await grant(showcase.admin, manager, 'manage')).body.id;
        const { body } = await list(manager, `?algorithm_id=${algorithmId}&limit=2`);
        expect(body.grants.map(({ id }: { id: string }) => id)).to.deep.equal([third, second]);
        expect(body.total).to.equal(3);
        const rest = await list(manager, `?algorithm_id=${algorithmId}&skip=2`);
        expect(rest.body.grants.map(({ id }: { id: string }) => id)).to.deep.equal([first]);
      });

      it('shows administrators the grants of one account on all algorithms', async () => {
        const newcomer = await showcase.service.user('newcomer');
        await grant(showcase.admin, newcomer, 'read');
        await grant(showcase.admin, newcomer, 'read', await showcase.algorithm());
        expect((await list(showcase.admin, `?user_id=${newcomer.id}`)).body.total).to.equal(2);
      });

      it('wants others to name the algorithm', async () => {
        const { status, body } = await list(manager, '');
        expect([status, body.errors[0].pointer]).to.deep.equal([422, '/query/algorithm_id']);
      });

      it('is refused to those who do not manage the algorithm', async () => {
        expect((await list(user, `?algorithm_id=${algorithmId}`)).status).to.equal(403);
      });

      it('does not know an algorithm that does not exist', async () => {
        expect((await list(showcase.admin, `?algorithm_id=${UNKNOWN}`)).status).to.equal(404);
      });

      it('needs somebody who signed in', async () => {
        expect((await list(undefined, `?algorithm_id=${algorithmId}`)).status).to.equal(401);
      });
    });

    describe('deleting', () => {
      it('is for those who manage the algorithm', async () => {
        await grant(showcase.admin, manager, 'manage');
        const { body } = await grant(showcase.admin, user, 'execute');
        const removed = await showcase.as(manager, 'DELETE', `/permissions/grants/${body.id}`);
        expect([removed.status, removed.body]).to.deep.equal([200, { message: 'The grant was deleted.' }]);
      });

      it('shows others no more than for a grant that does not exist', async () => {
        const { body } = await grant(showcase.admin, user, 'execute');
        const foreign = await showcase.as(user, 'DELETE', `/permissions/grants/${body.id}`);
        const unknown = await showcase.as(user, 'DELETE', `/permissions/grants/${UNKNOWN}`);
        const shown = (answer: typeof foreign, id: string) => {
          const { request_id: _, ...rest } = answer.body;
          return JSON.parse(JSON.stringify(rest).replaceAll(id, '…'));
        };
        expect(foreign.status).to.equal(404);
        expect(shown(foreign, body.id)).to.deep.equal(shown(unknown, UNKNOWN));
        expect(await may(user, 'execute')).to.equal(true);
      });

      it('knows none on an algorithm that is gone, whose grants are about to follow', async () => {
        const { body } = await grant(showcase.admin, user, 'execute');
        await showcase.service.get(DATABASE).transaction(async (trx) => {
          await trx('permissions_grants').where({ id: body.id }).update({ algorithm_id: UNKNOWN });
        });
        const answer = await showcase.as(user, 'DELETE', `/permissions/grants/${body.id}`);
        expect([answer.status, answer.body.code]).to.deep.equal([404, 'grant_not_found']);
      });

      it('works once', async () => {
        const { body } = await grant(showcase.admin, user, 'execute');
        await showcase.as(showcase.admin, 'DELETE', `/permissions/grants/${body.id}`);
        const again = await showcase.as(showcase.admin, 'DELETE', `/permissions/grants/${body.id}`);
        expect([again.status, again.body.code]).to.deep.equal([404, 'grant_not_found']);
      });

      it('happens by itself when the account is deleted, and not when it is disabled', async () => {
        const { service } = showcase;
        const leaver = await service.user('leaver');
        await grant(showcase.admin, leaver, 'execute');
        const left = async () =>
          (await showcase.as(showcase.admin, 'GET', `/permissions/grants?user_id=${leaver.id}`)).body.total;
        await showcase.as(showcase.admin, 'PATCH', `/users/${leaver.id}`, { status: 'disabled' });
        await service.settled();
        expect(await left()).to.equal(1);
        await showcase.as(showcase.admin, 'DELETE', `/users/${leaver.id}`);
        expect(await left()).to.equal(0);
      });

      // SQLite has one writer at a time.
      if (engine === 'postgres') {
        it('locks the grants in one order, whichever of their owners is deleted', async () => {
          const database = showcase.service.get(DATABASE);
          for (const kind of ['read', 'execute', 'manage']) await grant(showcase.admin, user, kind);
          const grants = (trx: Transaction) =>
            trx('permissions_grants').where({ algorithm_id: algorithmId }).orderBy('id');
          // Where rows are found in the order of the table, the last one comes first now.
          await database.transaction(async (trx) => {
            const rows = await grants(trx);
            await grants(trx).clearOrder().delete();
            for (const row of rows.toReversed()) await trx('permissions_grants').insert(row);
          });
          const deletion = await database.transaction(async (trx) => {
            const [first, , last] = await grants(trx);
            const lock = (row: { id: string }) => trx('permissions_grants').where({ id: row.id }).forUpdate();
            await lock(first);
            const answer = showcase.as(showcase.admin, 'DELETE', `/algorithms/${algorithmId}`);
            await until(async () => {
              const { rows } = await trx.raw(
                'SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))',
              );
              return rows.length > 0;
            });
            await lock(last);
            return { answer };
          });
          expect((await deletion.answer).status).to.equal(200);
        });
      }

      it('happens with the algorithm, whether anybody hears of its deletion or not', async () => {
        const { body } = await grant(showcase.admin, user, 'execute');
        const bus = showcase.service.get(EVENTS) as { emit: unknown };
        const { emit } = bus;
        bus.emit = () => undefined;
        try {
          await showcase.as(showcase.admin, 'DELETE', `/algorithms/${algorithmId}`);
        } finally {
          bus.emit = emit;
        }
        const answer = await showcase.as(showcase.admin, 'DELETE', `/permissions/grants/${body.id}`);
        expect([answer.status, answer.body.code]).to.deep.equal([404, 'grant_not_found']);
      });

      it('happens by itself when the algorithm is deleted', async () => {
        const { body } = await grant(showcase.admin, user, 'execute');
        await showcase.as(showcase.admin, 'DELETE', `/algorithms/${algorithmId}`);
        const seen = async () =>
          (await showcase.as(showcase.admin, 'GET', `/permissions/grants?user_id=${user.id}`)).body;
        const gone = async () => !(await seen()).grants.some(({ id }: { id: string }) => id === body.id);
        await until(gone, 5_000);
        expect(await gone()).to.equal(true);
      });
    });
  });
});
