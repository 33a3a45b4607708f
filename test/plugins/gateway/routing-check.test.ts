import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { answered, people, somebody, startRollout, type Rollout } from './rollout.ts';

const OPEN_MS = 60_000;

onEveryEngine((engine) => {
  describe('a route of the gateway', () => {
    let rollout: Rollout;
    before(async () => {
      rollout = await startRollout(engine, { gateway: { breaker_failures: 3, breaker_open_ms: OPEN_MS } });
    });
    beforeEach(() => rollout.renew());
    after(() => rollout.stop());

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

      it('sends its share to the other versions', async () => {
        await rollout.setCanary(90);
        await openCircuit();
        rollout.canaryEndpoint.requests.length = 0;
        const user = people[(await rollout.versionsFor(people)).indexOf(rollout.versions.stable)]!;
        expect((await check({ user_id: user })).chosen.version_id).to.equal(rollout.versions.stable);
        for (let i = 0; i < 10; i++) {
          expect(answered(await rollout.callDefault())).to.deep.equal(rollout.byStable());
        }
        expect(rollout.canaryEndpoint.requests).to.deep.equal([]);
      });

      it('explains the choice in the dry run', async () => {
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

      it('reports which version would be chosen, and why', async () => {
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

      it('reports that there is no route', async () => {
        expect((await check({ ...rollout.target, version_id: 'default' })).chosen).to.deep.equal({
          version_id: rollout.versions.stable,
          role: null,
          reason: 'The algorithm has no route; this is its default version.',
        });
      });

      it('reports no choice for a call that gets the version it names, and for an unknown algorithm', async () => {
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
  });
});
