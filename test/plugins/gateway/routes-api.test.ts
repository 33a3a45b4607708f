import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { startRollout, type Rollout } from './rollout.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';

onEveryEngine((engine) => {
  describe('managing the routes of the gateway', () => {
    let rollout: Rollout;
    before(async () => {
      rollout = await startRollout(engine);
    });
    beforeEach(() => rollout.renew());
    after(() => rollout.stop());

    const send = (method: string, path: string, body?: object, token: string | null = rollout.adminToken) =>
      rollout.request(method, path, { body, ...(token === null ? {} : { token }) });
    const put = (body: object) => send('PUT', rollout.path, body);
    const shares = (...percents: readonly (readonly [string, number])[]) => ({
      versions: percents.map(([version_id, percent]) => ({ version_id, percent })),
    });

    describe('is for administrators:', () => {
      const operations = (path: string): readonly (readonly [string, string, object?])[] => [
        ['GET', '/gateway/routes'],
        ['GET', path],
        ['PUT', path, shares([rollout.versions.stable, 100])],
        ['POST', `${path}/rollback`, {}],
        ['POST', `${path}/promote`, {}],
        ['DELETE', path],
      ];
      const statuses = (token: string | null) =>
        Promise.all(
          operations(rollout.path).map(async (one) => (await send(one[0], one[1], one[2], token)).status),
        );

      it('others get 403', async () => {
        expect(new Set(await statuses(rollout.caller.token))).to.deep.equal(new Set([403]));
      });

      it('requests without credentials get 401', async () => {
        expect(new Set(await statuses(null))).to.deep.equal(new Set([401]));
      });
    });

    describe('setting a route', () => {
      it('takes null for what is not given', async () => {
        const { stable } = rollout.versions;
        const nulls = { sticky: null, applies_to: null, stable_version_id: null, revision: null };
        const { status, body } = await put({ ...shares([stable, 100]), ...nulls });
        expect([status, body.sticky, body.stable_version_id]).to.deep.equal([200, true, stable]);
      });

      it('cannot give it another algorithm, id or age, and takes back those that it has', async () => {
        const { stable } = rollout.versions;
        const { id, algorithm_id, created_at } = (await put(shares([stable, 100]))).body;
        for (const fixed of [
          { id: UNKNOWN },
          { algorithm_id: UNKNOWN },
          { created_at: '2000-01-01T00:00:00.000Z' },
        ]) {
          expect((await put({ ...shares([stable, 100]), ...fixed })).status).to.equal(422);
        }
        expect((await put({ ...shares([stable, 100]), id, algorithm_id, created_at })).status).to.equal(200);
      });

      it('makes the default version the stable one, and is sticky', async () => {
        const { stable, canary } = rollout.versions;
        const { id, created_at, updated_at, history, ...route } = await rollout.setCanary(5, {
          reason: 'Begin.',
        });
        expect(route).to.deep.equal({
          algorithm_id: rollout.target.algorithm_id,
          stable_version_id: stable,
          sticky: true,
          applies_to: 'default',
          rollback: null,
          revision: 1,
          versions: [
            { version_id: stable, percent: 95, role: 'stable', calls: 0, failed_calls: 0 },
            { version_id: canary, percent: 5, role: 'canary', calls: 0, failed_calls: 0 },
          ],
        });
        expect(created_at).to.equal(updated_at);
        expect(id).to.be.a('string');
        const { id: admin } = await rollout.admin();
        expect(history).to.deep.equal([
          {
            revision: 1,
            action: 'set',
            changed_by: admin,
            reason: 'Begin.',
            stable_version_id: stable,
            versions: [
              { version_id: stable, percent: 95 },
              { version_id: canary, percent: 5 },
            ],
            changed_at: updated_at,
          },
        ]);
        expect(await rollout.route()).to.deep.equal({ id, created_at, updated_at, history, ...route });
      });

      it('keeps fields that are left out', async () => {
        const { canary } = rollout.versions;
        const rollback = { max_failure_percent: 0, min_calls: 7, window_s: 10 };
        const more = { stable_version_id: canary, sticky: false, applies_to: 'all', rollback };
        await rollout.setCanary(5, more);
        expect(await rollout.setCanary(10)).to.deep.include({ ...more, revision: 2 });
        expect(await rollout.setCanary(10, { rollback: null })).to.deep.include({
          rollback: null,
          revision: 3,
        });
      });

      it('fills in the defaults of the rollback rule', async () => {
        const route = await rollout.setCanary(5, { rollback: { max_failure_percent: 20 } });
        expect(route.rollback).to.deep.equal({ max_failure_percent: 20, min_calls: 20, window_s: 60 });
      });

      it('accepts what was read, as no change', async () => {
        const route = await rollout.setCanary(5, { rollback: { max_failure_percent: 20 } });
        expect(await rollout.manage('PUT', rollout.path, route)).to.deep.equal(route);
      });

      it('is refused when the route has changed since it was read', async () => {
        const read = await rollout.setCanary(5);
        await rollout.setCanary(6);
        const { status, body } = await put({ ...read, ...shares([rollout.versions.stable, 100]) });
        expect([status, body.code]).to.deep.equal([409, 'gateway_route_conflict']);
        await rollout.manage('DELETE', rollout.path);
        expect((await put(read)).body.code).to.equal('gateway_route_conflict');
      });

      it('is serialised between concurrent requests', async () => {
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, i) =>
            put({ ...shares([rollout.versions.stable, 90 - i], [rollout.versions.canary, 10 + i]) }),
          ),
        );
        const statuses = answers.map(({ status }) => status);
        expect(statuses.filter((status) => status !== 200 && status !== 409)).to.deep.equal([]);
        const { revision, history } = await rollout.route();
        expect(revision).to.equal(statuses.filter((status) => status === 200).length);
        expect(history.map((change: { revision: number }) => change.revision)).to.deep.equal(
          Array.from({ length: revision }, (_, i) => revision - i),
        );
      });

      it('of an unknown algorithm is refused', async () => {
        const body = shares([rollout.versions.stable, 100]);
        for (const id of [UNKNOWN, 'none']) {
          const answer = await send('PUT', `/gateway/routes/${id}`, body);
          expect([answer.status, answer.body.code]).to.deep.equal([404, 'algorithm_not_found']);
        }
      });

      const refused: readonly [string, () => object, string, RegExp][] = [
        ['without versions', () => ({}), '/body/versions', /required/],
        ['with no version', () => shares(), '/body/versions', /./],
        [
          'with more than sixteen versions',
          () => shares(...Array.from({ length: 17 }, () => [rollout.versions.stable, 0] as const)),
          '/body/versions',
          /16/,
        ],
        [
          'with less than 100 percent',
          () => shares([rollout.versions.stable, 90], [rollout.versions.canary, 9]),
          '/body/versions',
          /add up to 100, not 99/,
        ],
        [
          'with more than 100 percent',
          () => shares([rollout.versions.stable, 90], [rollout.versions.canary, 11]),
          '/body/versions',
          /add up to 100, not 101/,
        ],
        [
          'with half a percent',
          () => shares([rollout.versions.stable, 99.5], [rollout.versions.canary, 0.5]),
          '/body/versions/0/percent',
          /whole number/,
        ],
        [
          'with less than nothing',
          () => shares([rollout.versions.stable, 101], [rollout.versions.canary, -1]),
          '/body/versions/0/percent',
          /100/,
        ],
        [
          'with a version twice',
          () => shares([rollout.versions.stable, 50], [rollout.versions.stable, 50]),
          '/body/versions/1/version_id',
          /again/,
        ],
        [
          'with a version that does not exist',
          () => shares([rollout.versions.stable, 50], [UNKNOWN, 50]),
          '/body/versions/1/version_id',
          new RegExp(UNKNOWN),
        ],
        [
          'with a stable version that is not among them',
          () => ({ ...shares([rollout.versions.canary, 100]), stable_version_id: rollout.versions.stable }),
          '/body/stable_version_id',
          /must be one of the versions/,
        ],
        [
          'without the default version, when none is named the stable one',
          () => shares([rollout.versions.canary, 100]),
          '/body/versions',
          /must contain the stable version/,
        ],
        [
          'for calls that there are not',
          () => ({ ...shares([rollout.versions.stable, 100]), applies_to: 'some' }),
          '/body/applies_to',
          /"default" or "all"/,
        ],
        [
          'with a reason that is too long',
          () => ({ ...shares([rollout.versions.stable, 100]), reason: 'x'.repeat(501) }),
          '/body/reason',
          /500/,
        ],
        ...(
          [
            ['max_failure_percent', 100],
            ['max_failure_percent', undefined],
            ['min_calls', 0],
            ['window_s', 9],
            ['window_s', 3601],
          ] as const
        ).map(([name, value]): [string, () => object, string, RegExp] => [
          `with a rollback by ${name} ${value}`,
          () => ({
            ...shares([rollout.versions.stable, 100]),
            rollback: { max_failure_percent: 5, [name]: value },
          }),
          `/body/rollback/${name}`,
          /./,
        ]),
      ];
      for (const [title, body, pointer, message] of refused) {
        it(`${title} is refused`, async () => {
          const answer = await put(body());
          expect(answer.status).to.equal(422);
          const found = answer.body.errors.find((error: { pointer: string }) => error.pointer === pointer);
          expect(found?.message).to.match(message);
          expect((await send('GET', rollout.path)).status).to.equal(404);
        });
      }

      it('with a version of another algorithm is refused, and the version named', async () => {
        const other = await rollout.addAlgorithm();
        const { status, body } = await put(shares([rollout.versions.stable, 50], [other.version_id, 50]));
        expect([status, body.errors[0].pointer]).to.deep.equal([422, '/body/versions/1/version_id']);
        expect(body.detail).to.include(other.version_id);
      });
    });

    describe('rolling back and promoting', () => {
      const percents = ({ versions }: { versions: { percent: number }[] }): number[] =>
        versions.map(({ percent }) => percent);
      const order = (what: string, body: object = {}) => send('POST', `${rollout.path}/${what}`, body);

      it('records who, when and why', async () => {
        await rollout.setCanary(5);
        const promoted = await order('promote', { reason: 'It is good.' });
        const rolledBack = await order('rollback', { reason: 'It is not.' });
        expect(percents(promoted.body)).to.deep.equal([0, 100]);
        expect(percents(rolledBack.body)).to.deep.equal([100, 0]);
        const { id: admin } = await rollout.admin();
        const [last, before] = rolledBack.body.history;
        expect(last).to.include({ action: 'rolled_back', changed_by: admin, reason: 'It is not.' });
        expect(before).to.include({ action: 'promoted', changed_by: admin, reason: 'It is good.' });
        expect(last.changed_at).to.equal(rolledBack.body.updated_at);
      });

      it('needs no reason, and does nothing when nothing would change', async () => {
        await rollout.setCanary(5);
        const once = (await order('rollback')).body;
        expect(once.history[0]).to.include({ action: 'rolled_back', reason: null });
        expect((await order('rollback')).body).to.deep.equal(once);
      });

      it('takes everything from all canaries', async () => {
        const { stable, canary } = rollout.versions;
        const other = await rollout.addVersion();
        await rollout.manage('PUT', rollout.path, shares([other, 10], [stable, 70], [canary, 20]));
        expect(percents((await order('rollback')).body)).to.deep.equal([0, 100, 0]);
      });

      it('of a canary asks which one, when there are several', async () => {
        const { stable, canary } = rollout.versions;
        const other = await rollout.addVersion();
        await rollout.manage('PUT', rollout.path, shares([other, 10], [stable, 70], [canary, 20]));
        for (const body of [{}, { version_id: stable }, { version_id: UNKNOWN }]) {
          const answer = await order('promote', body);
          expect([answer.status, answer.body.errors?.[0].pointer]).to.deep.equal([422, '/body/version_id']);
        }
        expect(percents((await order('promote', { version_id: other })).body)).to.deep.equal([100, 0, 0]);
      });

      it('of a canary needs one', async () => {
        await rollout.manage('PUT', rollout.path, shares([rollout.versions.stable, 100]));
        const { status, body } = await order('promote');
        expect([status, body.code]).to.deep.equal([409, 'gateway_route_without_canary']);
      });

      it('is refused when the route has changed since it was read', async () => {
        const { revision } = await rollout.setCanary(5);
        await rollout.setCanary(6);
        for (const what of ['promote', 'rollback']) {
          const { status, body } = await order(what, { revision });
          expect([status, body.code]).to.deep.equal([409, 'gateway_route_conflict']);
        }
        expect((await order('promote', { revision: revision + 1 })).status).to.equal(200);
      });

      for (const what of ['promote', 'rollback']) {
        it(`of what has no route answers 404 to ${what}`, async () => {
          const { status, body } = await order(what);
          expect([status, body.code]).to.deep.equal([404, 'gateway_route_not_found']);
        });
      }
    });

    it('keeps the last fifty changes', async () => {
      for (let percent = 1; percent <= 55; percent++) await rollout.setCanary(percent);
      const { history } = await rollout.route();
      expect(history).to.have.length(50);
      expect([history[0].revision, history[49].revision]).to.deep.equal([55, 6]);
    });

    it('lists routes newest first, in pages', async () => {
      await rollout.setCanary(5);
      const before = rollout.target.algorithm_id;
      await rollout.renew();
      await rollout.setCanary(7);
      const { routes, total } = await rollout.manage('GET', '/gateway/routes?limit=2');
      expect(routes.map((route: { algorithm_id: string }) => route.algorithm_id)).to.deep.equal([
        rollout.target.algorithm_id,
        before,
      ]);
      expect(routes[0].versions[1]).to.deep.equal({
        version_id: rollout.versions.canary,
        percent: 7,
        role: 'canary',
      });
      expect(total).to.be.greaterThan(1);
      const page = await rollout.manage('GET', '/gateway/routes?skip=1&limit=1');
      expect(page.routes).to.deep.equal([routes[1]]);
    });

    it('deletes a route with its history', async () => {
      await rollout.setCanary(5);
      expect(await rollout.manage('DELETE', rollout.path)).to.deep.equal({
        message: 'The route was deleted.',
      });
      for (const method of ['GET', 'DELETE']) {
        const { status, body } = await send(method, rollout.path);
        expect([status, body.code]).to.deep.equal([404, 'gateway_route_not_found']);
      }
      expect((await rollout.setCanary(5)).history).to.have.length(1);
    });
  });
});
