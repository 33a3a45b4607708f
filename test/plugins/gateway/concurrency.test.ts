import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { CALL_LOG } from '../../../plugins/invocation/contract.ts';
import { until } from '../../support/until.ts';
import { startUpstream } from '../../support/upstream.ts';
import { startGate } from './gate.ts';
import { queueLimit } from './queue-limit.ts';
import { startGateway, type GatewayUnderTest } from './support.ts';
import type { VitrineOptions } from '../../support/vitrine.ts';

onEveryEngine((engine) => {
  describe('calls of one version at once', () => {
    let gate: Awaited<ReturnType<typeof startGate>>;
    let gateway: GatewayUnderTest;
    before(async () => {
      gate = await startGate();
      gateway = await startGateway(engine, {
        upstream: gate.upstream,
        gateway: { concurrency: 2 },
        services: [queueLimit(0)],
      });
    });
    beforeEach(() => gateway.renew());
    afterEach(() => gate.letAllPass());
    after(() => gateway.stop());

    it('are refused with 429 beyond the limit', async () => {
      const running = [gateway.call(), gateway.call()];
      await gate.arrivals(2);
      const refused = await gateway.call();
      gate.letAllPass();
      const ended = await Promise.all(running);
      expect([refused.status, refused.body.code]).to.deep.equal([429, 'concurrency_limited']);
      expect(refused.headers['retry-after']).to.equal('1');
      expect(ended.map(({ status }) => status)).to.deep.equal([200, 200]);
    });

    it('spend nothing of the rate limit when refused', async () => {
      await gateway.manage('POST', '/gateway/policies', {
        name: 'four',
        subject: 'user',
        subject_id: gateway.caller.id,
        limit: 4,
      });
      const running = [gateway.call(), gateway.call()];
      await gate.arrivals(2);
      const refused = [await gateway.call(), await gateway.call(), await gateway.call()];
      gate.letAllPass();
      await Promise.all(running);
      const further = gateway.call();
      await gate.arrivals(1);
      gate.letAllPass();
      expect(refused.map(({ body }) => body.code)).to.deep.equal(Array(3).fill('concurrency_limited'));
      expect(refused[0]!.headers['ratelimit']).to.match(/^"user";r=2;t=\d+$/);
      expect((await further).headers['ratelimit']).to.match(/^"user";r=1;t=\d+$/);
    });

    it('are counted among the rate-limited requests when refused', async () => {
      const before = await gateway.stats();
      const running = [gateway.call(), gateway.call()];
      await gate.arrivals(2);
      await gateway.call();
      gate.letAllPass();
      await Promise.all(running);
      const after = await gateway.stats();
      expect(after.rate_limited_requests - before.rate_limited_requests).to.equal(1);
      expect(after.total_requests - before.total_requests).to.equal(3);
    });

    it('do not limit calls of another algorithm', async () => {
      const running = [gateway.call(), gateway.call()];
      await gate.arrivals(2);
      const healthy = await startUpstream();
      const other = await gateway.call(await gateway.addAlgorithm({ url: healthy.url }));
      gate.letAllPass();
      await Promise.all(running);
      await healthy.stop();
      expect(other.status).to.equal(200);
    });

    const addVersion = async (url: string): Promise<string> => {
      const path = `/algorithms/${gateway.target.algorithm_id}/versions`;
      return (await gateway.manage('POST', path, { version: '2', url })).id;
    };
    const limitTo = (concurrency: number) =>
      gateway.manage('POST', '/gateway/policies', {
        name: 'few',
        subject: 'algorithm',
        subject_id: gateway.target.algorithm_id,
        concurrency,
      });
    const check = async (more: object = {}) =>
      (
        await gateway.request('POST', '/gateway/check', {
          token: gateway.caller.token,
          body: { ...gateway.target, ...more },
        })
      ).body;

    it('do not limit calls of another version', async () => {
      const healthy = await startUpstream();
      const version_id = await addVersion(healthy.url);
      const running = [gateway.call(), gateway.call()];
      await gate.arrivals(2);
      const refused = await gateway.call();
      const other = await gateway.call({ version_id });
      const judged = [await check(), await check({ version_id })];
      gate.letAllPass();
      await Promise.all(running);
      await healthy.stop();
      expect([refused.status, other.status]).to.deep.equal([429, 200]);
      expect(refused.body.detail).to.include('2 calls of this version are under way');
      expect(judged.map(({ code, rule }) => ({ code, rule }))).to.deep.equal([
        { code: 'concurrency_limited', rule: { kind: 'setting', id: null } },
        { code: null, rule: null },
      ]);
    });

    it('follow the policy of the algorithm, for all its versions together', async () => {
      const version_id = await addVersion(gate.upstream.url);
      const policy = await limitTo(3);
      const running = [gateway.call(), gateway.call(), gateway.call({ version_id })];
      await gate.arrivals(3);
      const refused = await gateway.call({ version_id });
      const judged = await check();
      gate.letAllPass();
      const ended = await Promise.all(running);
      expect(ended.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
      expect(refused.body.detail).to.include('3 calls of this algorithm are under way');
      expect(judged).to.deep.include({
        code: 'concurrency_limited',
        rule: { kind: 'policy', id: policy.id },
      });
    });

    it('follow the present limit, also right after a change', async () => {
      const { id } = await limitTo(1);
      const running = [gateway.call()];
      await gate.arrivals(1);
      const before = await check();
      await gateway.manage('PUT', `/gateway/policies/${id}`, { concurrency: 2 });
      const judged = await check();
      running.push(gateway.call());
      await gate.arrivals(2);
      gate.letAllPass();
      const ended = await Promise.all(running);
      expect(ended.map(({ status }) => status)).to.deep.equal([200, 200]);
      expect([before.code, judged.code]).to.deep.equal(['concurrency_limited', null]);
    });
  });

  describe('a queue of the gateway', () => {
    it('lets calls wait for a free slot', async () => {
      const gate = await startGate();
      const gateway = await startGateway(engine, {
        upstream: gate.upstream,
        gateway: { concurrency: 1 },
        services: [queueLimit(1)],
      });
      const running = gateway.call();
      await gate.arrivals(1);
      // Whichever arrives second is refused.
      const both = [gateway.call(), gateway.call()];
      await Promise.race(both);
      gate.letAllPass();
      await running;
      await gate.arrivals(1);
      gate.letAllPass();
      const answers = await Promise.all(both);
      await gateway.stop();
      expect(answers.map(({ status }) => status)).to.have.members([200, 429]);
    });

    const startQueue = async (settings: VitrineOptions['settings'] = {}) => {
      const gate = await startGate();
      const gateway = await startGateway(engine, {
        upstream: gate.upstream,
        gateway: { concurrency: 1 },
        services: [queueLimit(1)],
        settings,
      });
      const isFull = async () => {
        const { token } = gateway.caller;
        const { body } = await gateway.request('POST', '/gateway/check', { token, body: gateway.target });
        return body.code === 'concurrency_limited';
      };
      return { gate, gateway, isFull };
    };

    it('drops the call of a client that goes away, for the next caller, and nothing is left of it', async () => {
      const { gate, gateway, isFull } = await startQueue();
      await gateway.manage('POST', '/gateway/policies', { name: 'ten', subject: 'user', limit: 10 });
      const running = gateway.call();
      await gate.arrivals(1);
      const leave = gateway.callAndLeave();
      await until(isFull);
      await leave();
      await until(async () => !(await isFull()), 2_000);
      const next = gateway.call();
      await until(isFull);
      gate.letAllPass();
      await running;
      await gate.arrivals(1);
      gate.letAllPass();
      const { status, headers } = await next;
      const records = await gateway.get(CALL_LOG).count({});
      await gateway.stop();
      expect(status).to.equal(200);
      expect(headers['ratelimit']).to.match(/^"user";r=8;t=\d+$/);
      expect([records, gate.upstream.requests.length]).to.deep.equal([2, 2]);
    });

    it('refuses its calls at a stop, and those under way are interrupted', async () => {
      const { gate, gateway, isFull } = await startQueue({ server: { shutdown_ms: 500 } });
      const running = gateway.call();
      await gate.arrivals(1);
      const queued = gateway.call();
      await until(isFull);
      await gateway.stop();
      const answers = await Promise.all([running, queued]);
      expect(answers.map(({ status, body }) => [status, body.error_code ?? body.code])).to.deep.equal([
        [200, 'interrupted'],
        [503, 'not_ready'],
      ]);
    });
  });
});
