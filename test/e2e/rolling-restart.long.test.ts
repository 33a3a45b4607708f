import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { startBalancer, type Balancer } from '../support/balancer.ts';
import { clusterAdmin, startCluster, type Cluster } from '../support/cluster.ts';
import { haproxyChecks, haproxyVersion, startHaproxy } from '../support/haproxy.ts';
import { clientOf } from '../support/service-client.ts';
import { startUpstream, type Upstream } from '../support/upstream.ts';
import { expectTrueLedger } from '../promises/support/ledger.ts';
import { acknowledged, histogram, startLoad } from '../promises/support/load.ts';

/** Twice what the checks of the balancer need, and less than production waits, so that the test is not slow. */
const DRAIN_DELAY_MS = 3000;
const LIMIT = 40;
const BETWEEN_ANSWERS = 100;

const balancers = [
  { name: 'a balancer that repeats nothing', there: true, start: start(startBalancer) },
  {
    name: 'HAProxy with the committed configuration (where it is on the PATH)',
    there: haproxyVersion() !== undefined,
    start: startHaproxy,
  },
];

function start(balancer: typeof startBalancer) {
  return (addresses: readonly string[]): Promise<Balancer> => balancer(addresses, haproxyChecks());
}

for (const { name, there, start } of balancers) {
  describe(`three instances behind ${name}`, function () {
    this.timeout(120_000);
    let cluster: Cluster;
    let balancer: Balancer;
    let upstream: Upstream;
    let client: ReturnType<typeof clientOf>;
    let token: string;
    let version: { algorithm_id: string; version_id: string };
    before(async function () {
      if (!there) this.skip();
      upstream = await startUpstream(async ({ body }) => {
        await pause(20);
        return { n: body.input_data.n };
      });
      cluster = await startCluster({
        SERVER_DRAIN_DELAY_MS: String(DRAIN_DELAY_MS),
        GATEWAY_RATE_LIMIT: '0',
      });
      balancer = await start(cluster.addresses);
      client = clientOf(balancer.url);
      token = (await client.ok('POST', '/users/login', { body: clusterAdmin })).access_token;
      const algorithm = { name: 'Counted', description: 'Notes what it is asked', type: 'demo' };
      const { id: algorithm_id } = await client.ok('POST', '/algorithms', { token, body: algorithm });
      const body = { version: '1', url: upstream.url };
      const { id } = await client.ok('POST', `/algorithms/${algorithm_id}/versions`, { token, body });
      version = { algorithm_id, version_id: id };
    });
    after(async () => {
      await balancer?.stop();
      await cluster?.remove();
      await upstream?.stop();
    });

    it('answer and record every call once while each of them is restarted in turn', async () => {
      const askedBefore = upstream.requests.length;
      const load = startLoad({ request: client.request, token, version });
      const codes: (number | null)[] = [];
      try {
        for (let index = 0; index < 3; index += 1) {
          while (acknowledged(load.answers).length < BETWEEN_ANSWERS * (index + 1)) await pause(5);
          codes.push((await cluster.restart(index)).code);
        }
      } finally {
        await load.stop();
      }

      expect(codes).to.deep.equal([0, 0, 0]);
      expect(histogram(load.answers)).to.deep.equal({ 200: load.answers.length });
      const read = (path: string) => client.ok('GET', path, { token });
      const { asked } = await expectTrueLedger({ read, upstream }, acknowledged(load.answers));
      expect(acknowledged(load.answers)).to.have.members(asked.slice(askedBefore));
    });

    it('let a caller pass as often as one limit allows, restart or not', async () => {
      const caller = await client.signUp(`grace${upstream.requests.length}`);
      const { id: subject_id } = await client.ok('GET', '/users/me', { token: caller });
      const body = { name: 'few', subject: 'user', subject_id, limit: LIMIT, window_s: 86_400 };
      await client.ok('POST', '/gateway/policies', { token, body });
      // Rules hold on all instances within 2 s.
      await pause(2000);
      const statuses: number[] = [];
      const callUntil = async (count: number): Promise<void> => {
        while (statuses.length < count) {
          const call = { token: caller, body: { ...version, input_data: {} } };
          statuses.push((await client.request('POST', '/gateway/call', call)).status);
        }
      };
      await callUntil(LIMIT / 2);
      await cluster.restart(0);
      await callUntil(LIMIT * 2);
      expect(statuses.filter((status) => status === 200)).to.have.length(LIMIT);
      expect(new Set(statuses)).to.deep.equal(new Set([200, 429]));
    });

    it('know the client by the address that the balancer saw, whatever the client says', async () => {
      const address = '127.0.0.1';
      const body = { subject: 'network', value: address, reason: 'testing' };
      const { id } = await client.ok('POST', '/gateway/blocks', { token, body });
      await pause(2000);
      const answer = await client.request('POST', '/gateway/call', {
        token,
        body: { ...version, input_data: {} },
        headers: { 'X-Forwarded-For': '203.0.113.9' },
      });
      await client.ok('DELETE', `/gateway/blocks/${id}`, { token });
      expect([answer.status, answer.body.code]).to.deep.equal([403, 'blocked']);
    });
  });
}
