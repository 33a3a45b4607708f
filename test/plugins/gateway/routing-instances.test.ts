import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { HEARD_ELSEWHERE_MS, until } from '../../support/until.ts';
import { people, startRollout } from './rollout.ts';
import { startPeer } from './support.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

onEveryEngine((engine) => {
  describe('the routes of the gateway', () => {
    it('survive a restart', async () => {
      const scratch = await migratedScratch(engine);
      const first = await startRollout(engine, { scratch });
      await first.setCanary(30);
      const ids = people.slice(0, 50);
      const before = await first.versionsFor(ids);
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
  it('change on all of them, and count together', async () => {
    const scratch = await migratedScratch('postgres');
    const one = await startRollout('postgres', { scratch });
    const other = await startPeer(scratch, 'postgres');
    const { token } = one.caller;
    const body = one.body({ version_id: 'default' });
    const callOther = async (): Promise<string> =>
      (await other.request('POST', '/gateway/call', { token, body })).body.version_id;
    try {
      await one.setCanary(100);
      const { canary, stable } = one.versions;
      expect(await callOther()).to.equal(canary);
      await one.callDefault();
      expect((await one.route()).versions[1].calls).to.equal(2);
      await one.manage('POST', `${one.path}/rollback`, {});
      await until(async () => (await callOther()) === stable, HEARD_ELSEWHERE_MS);
    } finally {
      await other.stop();
      await one.stop();
      await scratch.remove();
    }
  });
});
