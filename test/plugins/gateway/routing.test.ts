import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { answered, people, somebody, startRollout, type Rollout } from './rollout.ts';

onEveryEngine((engine) => {
  describe('a route of the gateway', () => {
    let rollout: Rollout;
    before(async () => {
      rollout = await startRollout(engine);
    });
    beforeEach(() => rollout.renew());
    after(() => rollout.stop());

    describe('answers calls of the version "default"', () => {
      it('by the canary when it has all shares, and names it in a header', async () => {
        await rollout.setCanary(100);
        expect(answered(await rollout.callDefault())).to.deep.equal(rollout.byCanary());
      });

      it('by the stable version when it has all shares, and names it in a header', async () => {
        await rollout.setCanary(0);
        expect(answered(await rollout.callDefault())).to.deep.equal(rollout.byStable());
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
        const ten = await rollout.versionsFor(people);
        await rollout.setCanary(40);
        const forty = await rollout.versionsFor(people);
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

      it('direct calls, whose "default" is the default version', async () => {
        await rollout.setCanary(100);
        const { token } = rollout.caller;
        const body = rollout.body({ version_id: 'default' });
        const direct = await rollout.request('POST', '/algorithms/call', { token, body });
        expect([direct.status, direct.body.version_id]).to.deep.equal([200, rollout.versions.stable]);
      });
    });

    it('that applies to all spreads calls of the stable version too, and of no other', async () => {
      await rollout.setCanary(100, { applies_to: 'all' });
      const { stable } = rollout.versions;
      expect(answered(await rollout.call({ version_id: stable }))).to.deep.equal(rollout.byCanary());
      const third = await rollout.addVersion(rollout.upstream.url);
      const explicit = answered(await rollout.call({ version_id: third }));
      expect(explicit).to.include({ version: third, route: undefined });
    });

    describe('that is missing', () => {
      it('leaves "default" to the default version of the algorithm', async () => {
        const { stable, canary } = rollout.versions;
        expect(answered(await rollout.callDefault())).to.include({ version: stable, route: undefined });
        await rollout.manage('PUT', `${rollout.algorithmPath}/versions/${canary}`, { is_default: true });
        expect(answered(await rollout.callDefault())).to.include({ version: canary, route: undefined });
      });

      it('answers 404 for an unknown algorithm and for one without versions', async () => {
        const unknown = await rollout.callDefault({ algorithm_id: somebody(1) });
        expect([unknown.status, unknown.body.code]).to.deep.equal([404, 'algorithm_not_found']);
        for (const id of Object.values(rollout.versions)) {
          await rollout.manage('DELETE', `${rollout.algorithmPath}/versions/${id}`);
        }
        const empty = await rollout.callDefault();
        expect([empty.status, empty.body.code]).to.deep.equal([404, 'version_not_found']);
      });
    });

    describe('changes at once:', () => {
      it('a rollback holds from the next call on', async () => {
        await rollout.setCanary(100);
        expect(answered(await rollout.callDefault())).to.deep.equal(rollout.byCanary());
        await rollout.rollBack();
        expect(answered(await rollout.callDefault())).to.deep.equal(rollout.byStable());
      });

      it('so does a promotion, after which a rollback leads back', async () => {
        await rollout.setCanary(0);
        await rollout.promote();
        expect(answered(await rollout.callDefault())).to.deep.equal(rollout.byCanary());
        await rollout.rollBack();
        expect(answered(await rollout.callDefault())).to.deep.equal(rollout.byStable());
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

    describe('does not change', () => {
      it('that calls of an inactive algorithm are refused', async () => {
        await rollout.setCanary(100);
        await rollout.manage('PUT', rollout.algorithmPath, { status: 'inactive' });
        const { status, body } = await rollout.callDefault();
        expect([status, body.code]).to.deep.equal([409, 'algorithm_inactive']);
      });

      it('that calls of a deprecated algorithm are answered, and say so', async () => {
        await rollout.setCanary(100);
        await rollout.manage('PUT', rollout.algorithmPath, { status: 'deprecated' });
        const answer = await rollout.callDefault();
        expect(answered(answer)).to.deep.equal(rollout.byCanary());
        expect(answer.headers).to.include.keys('deprecation');
      });

      it('who may call', async () => {
        await rollout.setCanary(100);
        await rollout.manage('PUT', rollout.algorithmPath, { access: 'restricted' });
        expect((await rollout.callDefault()).status).to.equal(403);
        expect((await rollout.callDefault({}, rollout.adminToken)).status).to.equal(200);
      });

      it('that the input must fit the version that is called', async () => {
        const path = `${rollout.algorithmPath}/versions/${rollout.versions.canary}`;
        await rollout.manage('PUT', path, { input_schema: { type: 'object', required: ['image'] } });
        await rollout.setCanary(100);
        const { status, headers, body } = await rollout.callDefault();
        expect([status, body.errors[0].pointer]).to.deep.equal([422, '/body/input_data/image']);
        expect(headers['x-vitrine-route']).to.equal('canary');
      });
    });
  });
});
