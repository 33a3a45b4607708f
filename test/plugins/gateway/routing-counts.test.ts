import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { startRollout, type Rollout } from './rollout.ts';

onEveryEngine((engine) => {
  describe('a route of the gateway', () => {
    let rollout: Rollout;
    before(async () => {
      rollout = await startRollout(engine);
    });
    beforeEach(() => rollout.renew());
    after(() => rollout.stop());

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
  });
});
