import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { HEARD_ELSEWHERE_MS, until } from '../../support/until.ts';
import { startUpstream, type Upstream } from '../../support/upstream.ts';
import { startRollout, type Rollout } from './rollout.ts';
import { startGateway, startPeer, type GatewayUnderTest } from './support.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

const SETTINGS = { breaker_failures: 2, breaker_open_ms: 300_000 };

const startBroken = (): Promise<Upstream> =>
  startUpstream((_request, response) => response.writeHead(500).end());

onEveryEngine((engine) => {
  describe('the open circuit of a version', () => {
    let gateway: GatewayUnderTest;
    let healthy: Upstream;
    before(async () => {
      healthy = await startUpstream();
      gateway = await startGateway(engine, { upstream: await startBroken(), gateway: SETTINGS });
    });
    beforeEach(async () => {
      await gateway.renew();
      for (let i = 0; i < 3; i++) await gateway.call();
    });
    after(async () => {
      await gateway.stop();
      await healthy.stop();
    });

    const versionPath = (): string =>
      `/algorithms/${gateway.target.algorithm_id}/versions/${gateway.target.version_id}`;
    const code = async (): Promise<string | null> => (await gateway.call()).body.error_code;

    it('ends when the version gets another url', async () => {
      expect(await code()).to.equal('circuit_open');
      await gateway.manage('PUT', versionPath(), { url: healthy.url });
      expect(await code()).to.equal(null);
    });

    it('stays when something else is changed', async () => {
      await gateway.manage('PUT', `/algorithms/${gateway.target.algorithm_id}`, {
        description: 'Other words.',
      });
      await gateway.addAlgorithm();
      await pause(1500);
      expect(await code()).to.equal('circuit_open');
    });

    it('starts again with no failures', async () => {
      await gateway.manage('PUT', versionPath(), { version: 'again' });
      expect([await code(), await code(), await code()]).to.deep.equal([
        'upstream_error',
        'upstream_error',
        'circuit_open',
      ]);
    });
  });

  describe('the open circuit of a canary', () => {
    let rollout: Rollout;
    beforeEach(async () => {
      rollout = await startRollout(engine, { gateway: SETTINGS });
    });
    afterEach(() => rollout.stop());

    it('refuses calls only until the version is changed', async () => {
      await rollout.setCanary(99, { sticky: false, rollback: null });
      const { stable, canary } = rollout.versions;
      rollout.breakCanary(500);
      for (let i = 0; i < 2; i++) await rollout.call({ version_id: canary });
      const whileOpen = (await rollout.callDefault()).body.version_id;
      rollout.breakCanary(200);
      await rollout.manage('PUT', `${rollout.algorithmPath}/versions/${canary}`, { version: 'repaired' });
      expect(whileOpen).to.equal(stable);
      await until(async () => (await rollout.callDefault()).body.version_id === canary);
    });
  });
});

describe('the open circuit of a version on another instance', () => {
  it('ends when the version is changed here', async () => {
    const scratch = await migratedScratch('postgres');
    const one = await startGateway('postgres', { scratch, upstream: await startBroken(), gateway: SETTINGS });
    const other = await startPeer(scratch, 'postgres', SETTINGS);
    const healthy = await startUpstream();
    const { algorithm_id, version_id } = one.target;
    const ask = (path: string, body: object) =>
      other.request('POST', path, { token: one.caller.token, body });
    const check = async (): Promise<string | null> => (await ask('/gateway/check', one.target)).body.code;
    try {
      for (let i = 0; i < 2; i++) await ask('/gateway/call', one.body());
      expect(await check()).to.equal('circuit_open');
      await one.manage('PUT', `/algorithms/${algorithm_id}/versions/${version_id}`, { url: healthy.url });
      await until(async () => (await check()) === null, HEARD_ELSEWHERE_MS);
      expect((await ask('/gateway/call', one.body())).body.status).to.equal('success');
    } finally {
      await other.stop();
      await one.stop();
      await healthy.stop();
      await scratch.remove();
    }
  });
});
