import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { DATABASE } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { answered, startRollout, type Rollout } from './rollout.ts';

onEveryEngine((engine) => {
  describe('a route of the gateway', () => {
    let rollout: Rollout;
    before(async () => {
      rollout = await startRollout(engine);
    });
    beforeEach(() => rollout.renew());
    after(() => rollout.stop());

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

      it('gives the share of a canary to the stable version, and records it', async () => {
        await rollout.setCanary(100);
        await rollout.callDefault();
        await rollout.manage('DELETE', `${rollout.algorithmPath}/versions/${rollout.versions.canary}`);
        expect(answered(await rollout.callDefault())).to.deep.equal(rollout.byStable());
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
        await rollout.manage('DELETE', `${rollout.algorithmPath}/versions/${stable}`);
        const [last] = await until(history, ([change]) => change.action === 'version_deleted');
        expect(last).to.deep.include({
          stable_version_id: other,
          versions: [
            { version_id: canary, percent: 10 },
            { version_id: other, percent: 90 },
          ],
        });
      });

      it('notices it with the next call when the event was lost', async () => {
        await rollout.setCanary(100);
        const { canary } = rollout.versions;
        await rollout.get(DATABASE).knex('catalogue_versions').where('id', canary).delete();
        expect(answered(await rollout.callDefault())).to.deep.equal(rollout.byStable());
        expect((await history())[0]).to.include({ action: 'version_deleted' });
      });

      it('notices a deleted algorithm with the next call when the event was lost', async () => {
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
        await rollout.manage('DELETE', `${rollout.algorithmPath}/versions/${stable}`);
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

      it('does not stay when its algorithm is deleted while it is made', async () => {
        const token = rollout.adminToken;
        const deleted: string[] = [];
        for (let round = 1; round <= 8; round += 1) {
          await rollout.renew();
          deleted.push(rollout.target.algorithm_id);
          const body = { versions: [{ version_id: rollout.versions.stable, percent: 100 }] };
          await Promise.all([
            rollout.request('PUT', rollout.path, { token, body }),
            rollout.request('DELETE', rollout.algorithmPath, { token }),
          ]);
        }
        const left = () =>
          rollout.get(DATABASE).knex('gateway_routes').whereIn('algorithm_id', deleted).pluck('algorithm_id');
        expect(await until(left, ({ length }) => length === 0)).to.deep.equal([]);
      });

      it('is deleted with its algorithm', async () => {
        await rollout.setCanary(50);
        await rollout.manage('DELETE', rollout.algorithmPath);
        expect((await rollout.callDefault()).body.code).to.equal('algorithm_not_found');
        const read = await until(
          () => rollout.request('GET', rollout.path, { token: rollout.adminToken }),
          ({ status }) => status === 404,
        );
        expect(read.body.code).to.equal('gateway_route_not_found');
      });
    });
  });
});
