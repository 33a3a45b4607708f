import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { DATABASE } from '../../../core/index.ts';
import { makeScratch, onEveryEngine, type TestResponse } from '../../../core/testing.ts';
import { somebody, startRollout, type Rollout } from './rollout.ts';
import { startPeer } from './support.ts';

const OPEN_MS = 60_000;
const people = Array.from({ length: 200 }, (_, number) => somebody(number));

onEveryEngine((engine) => {
  describe('a route of the gateway', () => {
    let rollout: Rollout;
    before(async () => {
      rollout = await startRollout(engine, { gateway: { breaker_failures: 3, breaker_open_ms: OPEN_MS } });
    });
    beforeEach(() => rollout.renew());
    after(() => rollout.stop());

    const answered = ({ status, headers, body }: TestResponse) => ({
      status,
      version: body.version_id,
      from: body.output_data?.from,
      route: headers['x-vitrine-route'],
    });
    const byCanary = () => ({
      status: 200,
      version: rollout.versions.canary,
      from: 'canary',
      route: 'canary',
    });
    const byStable = () => ({
      status: 200,
      version: rollout.versions.stable,
      from: 'stable',
      route: 'stable',
    });
    const versionsOf = (ids: readonly string[]) => Promise.all(ids.map((id) => rollout.versionFor(id)));
    const rollBack = () => rollout.manage('POST', `${rollout.path}/rollback`, {});
    const promote = () => rollout.manage('POST', `${rollout.path}/promote`, {});
    const algorithm = () => `/algorithms/${rollout.target.algorithm_id}`;

    describe('answers calls of the version "default"', () => {
      it('by the canary when that has everything, and says so', async () => {
        await rollout.setCanary(100);
        expect(answered(await rollout.callDefault())).to.deep.equal(byCanary());
      });

      it('by the stable version when that has everything, and says so', async () => {
        await rollout.setCanary(0);
        expect(answered(await rollout.callDefault())).to.deep.equal(byStable());
      });

      it('with a record that names the version which answered', async () => {
        await rollout.setCanary(100);
        const { body } = await rollout.callDefault();
        const { token } = rollout.caller;
        const read = await rollout.request('GET', `/algorithms/calls/${body.id}`, { token });
        expect(read.body).to.deep.equal(body);
        expect(read.body.version_id).to.equal(rollout.versions.canary);
      });

      it('by the same version again and again, the one of the dry run', async () => {
        await rollout.setCanary(50);
        const expected = await rollout.versionFor(rollout.caller.id);
        for (let i = 0; i < 10; i++) {
          expect((await rollout.callDefault()).body.version_id).to.equal(expected);
        }
      });

      it('whichever credential the caller uses', async () => {
        await rollout.setCanary(50);
        const { key } = await rollout.apiKey();
        const expected = await rollout.versionFor(rollout.caller.id);
        expect((await rollout.callDefault({}, key)).body.version_id).to.equal(expected);
      });

      it('by different versions when it is not sticky', async () => {
        await rollout.setCanary(50, { sticky: false });
        const seen = new Set<string>();
        for (let i = 0; i < 100 && seen.size < 2; i++) {
          seen.add((await rollout.callDefault()).body.version_id);
        }
        expect(seen.size).to.equal(2);
      });

      it('for as many callers as it says, and for more of the same when the canary grows', async () => {
        await rollout.setCanary(10);
        const ten = await versionsOf(people);
        await rollout.setCanary(40);
        const forty = await versionsOf(people);
        const { canary } = rollout.versions;
        const onCanary = (versions: readonly string[]) => versions.filter((id) => id === canary).length;
        // The salt is drawn for each route: beyond six deviations lies one outcome in a billion.
        expect(onCanary(ten)).to.be.closeTo(20, 6 * Math.sqrt(200 * 0.1 * 0.9));
        expect(onCanary(forty)).to.be.closeTo(80, 6 * Math.sqrt(200 * 0.4 * 0.6));
        expect(ten.filter((id, i) => id === canary && forty[i] !== canary)).to.deep.equal([]);
      });
    });

    describe('leaves alone', () => {
      it('calls that name a version', async () => {
        await rollout.setCanary(100);
        const { stable, canary } = rollout.versions;
        for (const [version_id, from] of [
          [stable, 'stable'],
          [canary, 'canary'],
        ]) {
          const answer = answered(await rollout.call({ version_id }));
          expect(answer).to.deep.equal({ status: 200, version: version_id, from, route: undefined });
        }
      });

      it('other algorithms', async () => {
        await rollout.setCanary(100);
        const other = await rollout.addAlgorithm();
        const answer = answered(await rollout.callDefault({ algorithm_id: other.algorithm_id }));
        expect(answer).to.deep.equal({
          status: 200,
          version: other.version_id,
          from: 'stable',
          route: undefined,
        });
      });

      it('the direct door, which knows no "default"', async () => {
        await rollout.setCanary(100);
        const { token } = rollout.caller;
        const body = rollout.body({ version_id: 'default' });
        const direct = await rollout.request('POST', '/algorithms/call', { token, body });
        expect([direct.status, direct.body.code]).to.deep.equal([404, 'version_not_found']);
      });
    });

    it('that applies to all spreads calls of the stable version too, and of no other', async () => {
      await rollout.setCanary(100, { applies_to: 'all' });
      const { stable } = rollout.versions;
      expect(answered(await rollout.call({ version_id: stable }))).to.deep.equal(byCanary());
      const third = await rollout.addVersion(rollout.upstream.url);
      const explicit = answered(await rollout.call({ version_id: third }));
      expect(explicit).to.include({ version: third, route: undefined });
    });

    describe('that is missing', () => {
      it('leaves "default" to the default version of the algorithm', async () => {
        const { stable, canary } = rollout.versions;
        expect(answered(await rollout.callDefault())).to.include({ version: stable, route: undefined });
        await rollout.manage('PUT', `${algorithm()}/versions/${canary}`, { is_default: true });
        expect(answered(await rollout.callDefault())).to.include({ version: canary, route: undefined });
      });

      it('leaves an unknown algorithm unknown, and one without versions without', async () => {
        const unknown = await rollout.callDefault({ algorithm_id: somebody(1) });
        expect([unknown.status, unknown.body.code]).to.deep.equal([404, 'algorithm_not_found']);
        for (const id of Object.values(rollout.versions)) {
          await rollout.manage('DELETE', `${algorithm()}/versions/${id}`);
        }
        const empty = await rollout.callDefault();
        expect([empty.status, empty.body.code]).to.deep.equal([404, 'version_not_found']);
      });
    });

    describe('changes at once:', () => {
      it('a rollback holds from the next call on', async () => {
        await rollout.setCanary(100);
        expect(answered(await rollout.callDefault())).to.deep.equal(byCanary());
        await rollBack();
        expect(answered(await rollout.callDefault())).to.deep.equal(byStable());
      });

      it('so does a promotion, after which a rollback leads back', async () => {
        await rollout.setCanary(0);
        await promote();
        expect(answered(await rollout.callDefault())).to.deep.equal(byCanary());
        await rollBack();
        expect(answered(await rollout.callDefault())).to.deep.equal(byStable());
      });

      it('so does the end of the route', async () => {
        await rollout.setCanary(100);
        await rollout.callDefault();
        await rollout.manage('DELETE', rollout.path);
        expect(answered(await rollout.callDefault())).to.include({
          version: rollout.versions.stable,
          route: undefined,
        });
      });
    });

    describe('with a canary whose circuit is open', () => {
      const openCircuit = async () => {
        rollout.breakCanary(500);
        for (let i = 0; i < 3; i++) await rollout.call({ version_id: rollout.versions.canary });
      };
      const check = (body: object = {}) =>
        rollout.manage('POST', '/gateway/check', {
          algorithm_id: rollout.target.algorithm_id,
          version_id: 'default',
          ...body,
        });

      it('sends it no calls, and its callers to the others', async () => {
        await rollout.setCanary(90);
        await openCircuit();
        rollout.canaryEndpoint.requests.length = 0;
        const user = people[(await versionsOf(people)).indexOf(rollout.versions.stable)]!;
        expect((await check({ user_id: user })).chosen.version_id).to.equal(rollout.versions.stable);
        for (let i = 0; i < 10; i++) {
          expect(answered(await rollout.callDefault())).to.deep.equal(byStable());
        }
        expect(rollout.canaryEndpoint.requests).to.deep.equal([]);
      });

      it('says why in the dry run', async () => {
        await rollout.setCanary(99);
        await openCircuit();
        const answers = await Promise.all(people.slice(0, 20).map((user_id) => check({ user_id })));
        for (const { allowed, chosen } of answers) {
          expect(allowed).to.equal(true);
          expect(chosen).to.include({ version_id: rollout.versions.stable, role: 'stable' });
        }
        const diverted = answers.filter(({ chosen }) => /circuit/.test(chosen.reason));
        expect(diverted.length).to.be.greaterThan(10);
        expect(diverted[0].chosen.reason).to.include(rollout.versions.canary);
      });

      it('records calls as circuit_open when nothing else has a share', async () => {
        await rollout.setCanary(100);
        await openCircuit();
        const { body } = await rollout.callDefault();
        expect(body).to.include({ error_code: 'circuit_open', version_id: rollout.versions.canary });
        expect(await check()).to.deep.include({
          allowed: false,
          code: 'circuit_open',
          rule: { kind: 'circuit', id: rollout.versions.canary },
        });
      });
    });

    describe('the dry run', () => {
      const check = async (body: object, token = rollout.caller.token) =>
        (await rollout.request('POST', '/gateway/check', { token, body })).body;

      it('says which version would be chosen, and why', async () => {
        await rollout.setCanary(100);
        expect((await check({ ...rollout.target, version_id: 'default' })).chosen).to.deep.equal({
          version_id: rollout.versions.canary,
          role: 'canary',
          reason: 'The route gives 100 % of the callers this version, and this caller is one of them.',
        });
      });

      it('says when the version is drawn for each call', async () => {
        await rollout.setCanary(50, { sticky: false });
        const { chosen } = await check({ ...rollout.target, version_id: 'default' });
        expect(chosen.reason).to.match(/draws a version for each call.* 50 %/);
      });

      it('says when there is no route', async () => {
        expect((await check({ ...rollout.target, version_id: 'default' })).chosen).to.deep.equal({
          version_id: rollout.versions.stable,
          role: null,
          reason: 'The algorithm has no route; this is its default version.',
        });
      });

      it('says nothing of a call that gets the version it names, nor of an unknown algorithm', async () => {
        await rollout.setCanary(100);
        expect(await check(rollout.target)).not.to.have.property('chosen');
        const unknown = await check({ algorithm_id: somebody(1), version_id: 'default' });
        expect(unknown).not.to.have.property('chosen');
      });

      it('counts nothing', async () => {
        await rollout.setCanary(100);
        await check({ ...rollout.target, version_id: 'default' });
        expect((await rollout.route()).versions[1]).to.include({ calls: 0 });
      });
    });

    describe('counts how calls ended', () => {
      const counts = async () =>
        (await rollout.route()).versions.map((v: { calls: number; failed_calls: number }) => [
          v.calls,
          v.failed_calls,
        ]);

      it('by version, whether the route chose it or the caller', async () => {
        await rollout.setCanary(100);
        for (let i = 0; i < 3; i++) await rollout.callDefault();
        rollout.breakCanary(500);
        await rollout.callDefault();
        await rollout.call({ version_id: rollout.versions.stable });
        expect(await counts()).to.deep.equal([
          [1, 0],
          [4, 1],
        ]);
      });

      it('since the last change', async () => {
        await rollout.setCanary(100);
        await rollout.callDefault();
        await rollout.setCanary(99);
        expect(await counts()).to.deep.equal([
          [0, 0],
          [0, 0],
        ]);
      });

      it('exactly, when many end at once', async () => {
        await rollout.setCanary(50, { sticky: false });
        await Promise.all(Array.from({ length: 60 }, () => rollout.callDefault()));
        const [stable, canary] = await counts();
        expect(stable[0] + canary[0]).to.equal(60);
      });

      it('and leaves the counters of /gateway/stats as they are', async () => {
        await rollout.setCanary(100);
        const before = await rollout.stats();
        await rollout.callDefault();
        const after = await rollout.stats();
        expect(Object.keys(after)).to.deep.equal(Object.keys(before));
        expect(after.successful_requests).to.equal(before.successful_requests + 1);
      });
    });

    describe('when what it names is deleted', () => {
      const until = async <T>(read: () => Promise<T>, isIt: (value: T) => boolean): Promise<T> => {
        const deadline = performance.now() + 5000;
        for (;;) {
          const value = await read();
          if (isIt(value) || performance.now() > deadline) return value;
          await pause(10);
        }
      };
      const history = async () => (await rollout.route()).history;

      it('gives the share of a canary to the stable version, and says so', async () => {
        await rollout.setCanary(100);
        await rollout.callDefault();
        await rollout.manage('DELETE', `${algorithm()}/versions/${rollout.versions.canary}`);
        expect(answered(await rollout.callDefault())).to.deep.equal(byStable());
        const [last] = await until(history, ([change]) => change.action === 'version_deleted');
        expect(last).to.deep.include({
          changed_by: null,
          reason: `Deleted: ${rollout.versions.canary}.`,
          versions: [{ version_id: rollout.versions.stable, percent: 100 }],
        });
      });

      it('makes the version with the largest share the stable one when that is deleted', async () => {
        const { stable, canary } = rollout.versions;
        const other = await rollout.addVersion();
        const versions = [
          { version_id: stable, percent: 70 },
          { version_id: canary, percent: 10 },
          { version_id: other, percent: 20 },
        ];
        await rollout.manage('PUT', rollout.path, { versions });
        await rollout.manage('DELETE', `${algorithm()}/versions/${stable}`);
        const [last] = await until(history, ([change]) => change.action === 'version_deleted');
        expect(last).to.deep.include({
          stable_version_id: other,
          versions: [
            { version_id: canary, percent: 10 },
            { version_id: other, percent: 90 },
          ],
        });
      });

      it('notices it with the next call at the latest, when nobody told of it', async () => {
        await rollout.setCanary(100);
        const { canary } = rollout.versions;
        await rollout.get(DATABASE).knex('catalogue_versions').where('id', canary).delete();
        expect(answered(await rollout.callDefault())).to.deep.equal(byStable());
        expect((await history())[0]).to.include({ action: 'version_deleted' });
      });

      it('notices with the next call that the algorithm is gone, when nobody told of it', async () => {
        await rollout.setCanary(100);
        const { algorithm_id } = rollout.target;
        const { knex } = rollout.get(DATABASE);
        await knex('catalogue_versions').where({ algorithm_id }).delete();
        await knex('catalogue_algorithms').where('id', algorithm_id).delete();
        expect((await rollout.callDefault()).body.code).to.equal('algorithm_not_found');
        const read = await rollout.request('GET', rollout.path, { token: rollout.adminToken });
        expect(read.body.code).to.equal('gateway_route_not_found');
      });

      it('is deleted with its last version', async () => {
        const { stable } = rollout.versions;
        await rollout.manage('PUT', rollout.path, { versions: [{ version_id: stable, percent: 100 }] });
        await rollout.manage('DELETE', `${algorithm()}/versions/${stable}`);
        expect(answered(await rollout.callDefault())).to.include({
          version: rollout.versions.canary,
          route: undefined,
        });
        const read = await until(
          () => rollout.request('GET', rollout.path, { token: rollout.adminToken }),
          ({ status }) => status === 404,
        );
        expect(read.body.code).to.equal('gateway_route_not_found');
      });

      it('is deleted with its algorithm', async () => {
        await rollout.setCanary(50);
        await rollout.manage('DELETE', algorithm());
        expect((await rollout.callDefault()).body.code).to.equal('algorithm_not_found');
        const read = await until(
          () => rollout.request('GET', rollout.path, { token: rollout.adminToken }),
          ({ status }) => status === 404,
        );
        expect(read.body.code).to.equal('gateway_route_not_found');
      });
    });

    describe('does not change', () => {
      it('that calls of an inactive algorithm are refused', async () => {
        await rollout.setCanary(100);
        await rollout.manage('PUT', algorithm(), { status: 'inactive' });
        const { status, body } = await rollout.callDefault();
        expect([status, body.code]).to.deep.equal([409, 'algorithm_inactive']);
      });

      it('that calls of a deprecated algorithm are answered, and say so', async () => {
        await rollout.setCanary(100);
        await rollout.manage('PUT', algorithm(), { status: 'deprecated' });
        const answer = await rollout.callDefault();
        expect(answered(answer)).to.deep.equal(byCanary());
        expect(answer.headers).to.include.keys('deprecation');
      });

      it('who may call', async () => {
        await rollout.setCanary(100);
        await rollout.manage('PUT', algorithm(), { access: 'restricted' });
        expect((await rollout.callDefault()).status).to.equal(403);
        expect((await rollout.callDefault({}, rollout.adminToken)).status).to.equal(200);
      });

      it('that the input must fit the version that is called', async () => {
        const path = `${algorithm()}/versions/${rollout.versions.canary}`;
        await rollout.manage('PUT', path, { input_schema: { type: 'object', required: ['image'] } });
        await rollout.setCanary(100);
        const { status, headers, body } = await rollout.callDefault();
        expect([status, body.errors[0].pointer]).to.deep.equal([422, '/body/input_data/image']);
        expect(headers['x-vitrine-route']).to.equal('canary');
      });
    });
  });

  describe('the routes of the gateway', () => {
    it('survive a restart', async () => {
      const scratch = await makeScratch(engine);
      const first = await startRollout(engine, { scratch });
      await first.setCanary(30);
      const ids = people.slice(0, 50);
      const before = await Promise.all(ids.map((id) => first.versionFor(id)));
      const route = await first.route();
      await first.stop();
      const second = await startPeer(scratch, engine);
      const ask = (method: string, path: string, body?: object) =>
        second.request(method, path, { token: first.adminToken, body });
      const read = await ask('GET', first.path);
      const after = await Promise.all(
        ids.map(async (user_id) => {
          const body = { ...first.target, version_id: 'default', user_id };
          return (await ask('POST', '/gateway/check', body)).body.chosen.version_id;
        }),
      );
      await second.stop();
      await scratch.remove();
      expect(read.body).to.deep.equal(route);
      expect(after).to.deep.equal(before);
    });
  });
});

describe('the routes of several instances on one PostgreSQL', () => {
  it('change on all of them within two seconds, and count together', async () => {
    const scratch = await makeScratch('postgres');
    const one = await startRollout('postgres', { scratch });
    const other = await startPeer(scratch, 'postgres');
    const { token } = one.caller;
    const body = one.body({ version_id: 'default' });
    const callOther = async (): Promise<string> =>
      (await other.request('POST', '/gateway/call', { token, body })).body.version_id;
    await one.setCanary(100);
    const { canary, stable } = one.versions;
    const before = await callOther();
    await one.callDefault();
    const counted = (await one.route()).versions[1].calls;
    await one.manage('POST', `${one.path}/rollback`, {});
    const deadline = performance.now() + 2000;
    let after = before;
    while (after === canary && performance.now() < deadline) after = await callOther();
    await other.stop();
    await one.stop();
    await scratch.remove();
    expect([before, counted, after]).to.deep.equal([canary, 2, stable]);
  });
});
