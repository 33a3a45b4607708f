import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { startUpstream, type Upstream } from '../../support/upstream.ts';
import { startGateway, startPeer, type GatewayUnderTest } from './support.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

/** Fails when the input says so. */
const fickle = (): Promise<Upstream> =>
  startUpstream(({ body }, response) => {
    if (body.input_data.fail) response.writeHead(500).end();
    return { done: true };
  });

onEveryEngine((engine) => {
  describe('GET /gateway/stats', () => {
    let gateway: GatewayUnderTest;
    beforeEach(async () => {
      gateway = await startGateway(engine, {
        upstream: await fickle(),
        gateway: { rate_limit: 5, rate_window_s: 600 },
      });
    });
    afterEach(() => gateway.stop());

    const blockCaller = () =>
      gateway.manage('POST', '/gateway/blocks', {
        subject: 'user',
        value: gateway.caller.id,
        reason: 'Enough.',
      });

    it('is all zeros at first', async () => {
      const { last_updated, direct, ...counts } = await gateway.stats();
      expect(counts).to.deep.equal({
        total_requests: 0,
        successful_requests: 0,
        failed_requests: 0,
        blocked_requests: 0,
        rate_limited_requests: 0,
      });
      expect(direct).to.deep.equal({ ...counts, last_updated: direct.last_updated });
      expect(last_updated).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.]\d{3}Z$/);
    });

    it('counts each request once, by its outcome', async () => {
      for (let i = 0; i < 3; i++) await gateway.call();
      for (let i = 0; i < 2; i++) await gateway.call({ input_data: { fail: true } });
      for (let i = 0; i < 4; i++) await gateway.call();
      await blockCaller();
      await gateway.call();
      expect(await gateway.stats()).to.include({
        total_requests: 10,
        successful_requests: 3,
        failed_requests: 2,
        blocked_requests: 1,
        rate_limited_requests: 4,
      });
    });

    it('counts concurrent requests exactly', async () => {
      await Promise.all(Array.from({ length: 40 }, () => gateway.call()));
      expect(await gateway.stats()).to.include({
        total_requests: 40,
        successful_requests: 5,
        rate_limited_requests: 35,
      });
    });

    it('counts calls that came another way apart, as `direct`', async () => {
      const callDirectly = (more: object = {}) =>
        gateway.request('POST', '/algorithms/call', {
          token: gateway.caller.token,
          body: gateway.body(more),
        });
      await gateway.call();
      for (let i = 0; i < 2; i++) await callDirectly();
      await callDirectly({ input_data: { fail: true } });
      await callDirectly();
      await callDirectly();
      await blockCaller();
      for (let i = 0; i < 3; i++) await callDirectly();
      const { direct, ...own } = await gateway.stats();
      expect(own).to.include({ total_requests: 1, successful_requests: 1, failed_requests: 0 });
      expect(direct).to.include({
        total_requests: 8,
        successful_requests: 3,
        failed_requests: 1,
        blocked_requests: 3,
        rate_limited_requests: 1,
      });
    });

    it('does not count requests that are no calls', async () => {
      await gateway.call({ version_id: 'none' });
      await gateway.call({ input_data: 'text' });
      expect((await gateway.stats()).total_requests).to.equal(0);
    });

    it('reports when a count last changed', async () => {
      const began = new Date().toISOString();
      await gateway.call();
      expect((await gateway.stats()).last_updated >= began).to.equal(true);
    });

    it('needs credentials', async () => {
      expect((await gateway.request('GET', '/gateway/stats')).status).to.equal(401);
    });
  });

  describe('the counters of the gateway', () => {
    it('survive a restart', async () => {
      const scratch = await migratedScratch(engine);
      const options = { scratch, gateway: { rate_limit: 1, rate_window_s: 600 } };
      const first = await startGateway(engine, options);
      await first.call();
      await first.call();
      const counted = await first.stats();
      await first.stop();
      const second = await startPeer(scratch, engine);
      const { token } = first.caller;
      const read = await second.request('GET', '/gateway/stats', { token });
      await second.stop();
      await scratch.remove();
      expect(counted).to.include({ successful_requests: 1, rate_limited_requests: 1 });
      expect(read.body).to.deep.equal(counted);
    });
  });
});

describe('the counters of several gateways on one PostgreSQL', () => {
  it('add up', async () => {
    const scratch = await migratedScratch('postgres');
    const limit = { rate_limit: 10, rate_window_s: 600 };
    const one = await startGateway('postgres', { scratch, gateway: limit });
    const other = await startPeer(scratch, 'postgres', limit);
    const { token } = one.caller;
    await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        (i % 2 === 0 ? one : other).request('POST', '/gateway/call', { token, body: one.body() }),
      ),
    );
    const stats = [await one.stats(), (await other.request('GET', '/gateway/stats', { token })).body];
    await one.runJob('invocation:fold-totals');
    stats.push(await one.stats());
    await other.stop();
    await one.stop();
    await scratch.remove();
    const expected = { total_requests: 30, successful_requests: 10, rate_limited_requests: 20 };
    for (const read of stats) expect(read).to.include(expected);
  });
});
