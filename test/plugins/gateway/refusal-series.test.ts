import { expect } from 'chai';
import { DATABASE } from '../../../core/index.ts';
import { onEveryEngine, systemClock } from '../../../core/testing.ts';
import { REFUSAL_COUNTS } from '../../../plugins/gateway/counters/refusal-counts.ts';
import { refusalSeries } from '../../../plugins/gateway/counters/refusal-series.ts';
import { TIME_ROLLUPS } from '../../../plugins/invocation/contract.ts';
import { startGateway, startPeer, type GatewayUnderTest } from './support.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

const UNKNOWN = '01890a5d-ac96-774b-bcce-b302099a8057';

onEveryEngine((engine) => {
  describe('GET /gateway/refusals', () => {
    let gateway: GatewayUnderTest;
    let offset = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + offset };
    beforeEach(async () => {
      offset = 0;
      gateway = await startGateway(engine, { clock, gateway: { rate_limit: 2, rate_window_s: 600 } });
    });
    afterEach(() => gateway.stop());

    const refusals = async (query = '', token = gateway.adminToken) => {
      // On a slow disk a refusal is answered before it is stored.
      await gateway.get(REFUSAL_COUNTS).stop();
      return gateway.request('GET', `/gateway/refusals${query}`, { token });
    };
    const totalOf = async (query = '') => (await refusals(query)).body.total;
    const blockCaller = () =>
      gateway.manage('POST', '/gateway/blocks', { subject: 'user', value: gateway.caller.id, reason: 'No.' });

    it('counts refused requests by code, in each point', async () => {
      for (let i = 0; i < 5; i += 1) await gateway.call();
      await blockCaller();
      await gateway.call();
      for (const bucket of ['minute', 'hour', 'day']) {
        const { status, body } = await refusals(`?bucket=${bucket}`);
        expect(status).to.equal(200);
        expect(body.total, bucket).to.deep.equal({ rate_limited: 3, blocked: 1 });
        const sum = body.points.flatMap(({ refusals: all }: { refusals: Record<string, number> }) =>
          Object.values(all),
        );
        expect(
          sum.reduce((one: number, other: number) => one + other, 0),
          bucket,
        ).to.equal(4);
      }
    });

    it('is of one algorithm when it is named, also for requests refused before it was looked at', async () => {
      const { algorithm_id } = await gateway.addAlgorithm();
      for (let i = 0; i < 2; i += 1) await gateway.call();
      expect((await gateway.call({ algorithm_id })).status).to.equal(429);
      expect(await totalOf(`?algorithm_id=${algorithm_id}`)).to.deep.equal({ rate_limited: 1 });
      expect(await totalOf(`?algorithm_id=${gateway.target.algorithm_id}`)).to.deep.equal({});
    });

    it('is of the algorithm of a block rule', async () => {
      const { algorithm_id } = gateway.target;
      await gateway.manage('POST', '/gateway/blocks', {
        subject: 'algorithm',
        value: algorithm_id,
        reason: 'No.',
      });
      await gateway.call();
      expect(await totalOf(`?algorithm_id=${algorithm_id}`)).to.deep.equal({ blocked: 1 });
    });

    it('keeps no row about an algorithm that the caller does not see', async () => {
      const hidden = await gateway.addAlgorithm({ access: 'private' });
      for (let i = 0; i < 2; i += 1) await gateway.call();
      for (const algorithm_id of [UNKNOWN, 'nonsense', hidden.algorithm_id]) {
        expect((await gateway.call({ algorithm_id })).status).to.equal(429);
      }
      expect(await totalOf()).to.deep.equal({ rate_limited: 3 });
      const ids = await gateway.get(DATABASE).knex('gateway_refusals').distinct('algorithm_id');
      expect(ids).to.deep.equal([{ algorithm_id: '' }]);
    });

    it('is for administrators, and for managers of an algorithm', async () => {
      const codeOf = async (query: string) => (await refusals(query, gateway.caller.token)).body.code;
      expect(await codeOf('')).to.equal('forbidden');
      expect(await codeOf(`?algorithm_id=${gateway.target.algorithm_id}`)).to.equal('forbidden');
      expect(await codeOf(`?algorithm_id=${UNKNOWN}`)).to.equal('algorithm_not_found');
      const hidden = await gateway.addAlgorithm({ access: 'private' });
      expect(await codeOf(`?algorithm_id=${hidden.algorithm_id}`)).to.equal('algorithm_not_found');
    });

    it('loses minutes after 48 hours, and keeps the days', async () => {
      for (let i = 0; i < 3; i += 1) await gateway.call();
      expect(await totalOf()).to.deep.equal({ rate_limited: 1 });
      await gateway.runJob('invocation:fold-totals');
      expect(await totalOf('?bucket=minute')).to.deep.equal({ rate_limited: 1 });
      offset = 49 * 3_600_000;
      await gateway.runJob('invocation:old-points');
      const buckets = await gateway
        .get(DATABASE)
        .knex('gateway_refusals')
        .distinct('bucket')
        .orderBy('bucket');
      expect(buckets.map(({ bucket }: { bucket: string }) => bucket)).to.deep.equal(['day', 'hour']);
      const deps = { database: gateway.get(DATABASE), rollups: gateway.get(TIME_ROLLUPS) };
      const { total } = await refusalSeries(deps, { bucket: 'day' });
      expect(total).to.deep.equal({ rate_limited: 1 });
    });

    for (const query of [
      'bucket=week',
      'start_date=soon',
      'bucket=hour&start_date=2020-01-01',
      'status=failed',
    ]) {
      it(`refuses ${query}`, async () => {
        expect((await refusals(`?${query}`)).status).to.equal(422);
      });
    }
  });

  describe('GET /gateway/refusals of two instances', () => {
    it('has the refusals of both', async () => {
      const scratch = await migratedScratch(engine);
      const settings = { rate_limit: 1, rate_window_s: 600 };
      const gateway = await startGateway(engine, { scratch, gateway: settings });
      const peer = await startPeer(scratch, engine, settings);
      for (let i = 0; i < 3; i += 1) await gateway.call();
      for (let i = 0; i < 3; i += 1) {
        await peer.request('POST', '/gateway/call', { token: gateway.caller.token, body: gateway.body() });
      }
      const answer = await peer.request('GET', '/gateway/refusals', { token: gateway.adminToken });
      const atLeast = engine === 'postgres' ? 5 : 4;
      expect(answer.body.total.rate_limited).to.equal(atLeast);
      await peer.stop();
      await gateway.stop();
    });
  });
});
