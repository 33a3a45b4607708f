import { expect } from 'chai';
import { onEveryEngine, systemClock } from '../../../core/testing.ts';
import { HEARD_ELSEWHERE_MS, until } from '../../support/until.ts';
import { startGateway, startPeer, type GatewayUnderTest } from './support.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

onEveryEngine((engine) => {
  describe('block rules of the gateway', () => {
    let gateway: GatewayUnderTest;
    /** By how much the clock was moved. */
    let ahead = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + ahead };
    before(async () => {
      gateway = await startGateway(engine, { clock });
    });
    beforeEach(() => gateway.renew());
    after(() => gateway.stop());

    const block = (subject: string, value: string, more: object = {}) =>
      gateway.manage('POST', '/gateway/blocks', { subject, value, reason: 'Too curious.', ...more });

    it('refuse a user with 403, the reason and the end', async () => {
      const until = '2099-01-31T00:00:00.000Z';
      const rule = await block('user', gateway.caller.id, { until });
      const { status, body } = await gateway.call();
      expect(status).to.equal(403);
      expect(body).to.include({
        code: 'blocked',
        detail: `Calls by this user are blocked until ${until}: Too curious.`,
        reason: 'Too curious.',
        blocked_until: until,
        block_id: rule.id,
      });
    });

    it('leave a refused request without a record and without a request to the endpoint', async () => {
      await block('user', gateway.caller.id);
      gateway.upstream.requests.length = 0;
      await gateway.call();
      expect(gateway.upstream.requests).to.deep.equal([]);
    });

    it('do not spend the limits of refused callers', async () => {
      const before = await gateway.call();
      const rule = await block('user', gateway.caller.id);
      await gateway.call();
      await gateway.manage('DELETE', `/gateway/blocks/${rule.id}`);
      const after = await gateway.call();
      const left = ({ headers }: typeof before): number => Number(/r=(\d+)/.exec(headers['ratelimit']!)![1]);
      expect(left(after)).to.equal(left(before) - 1);
    });

    it('refuse an API key, and not its owner', async () => {
      const key = await gateway.apiKey();
      await block('api_key', key.id);
      expect((await gateway.call({}, key.key)).body.code).to.equal('blocked');
      expect((await gateway.call()).status).to.equal(200);
    });

    it('refuse calls of an algorithm, and of no other', async () => {
      const other = await gateway.addAlgorithm();
      await block('algorithm', gateway.target.algorithm_id);
      expect((await gateway.call()).body.code).to.equal('blocked');
      expect((await gateway.call(other)).status).to.equal(200);
    });

    it('refuse a network', async () => {
      await block('network', '127.0.0.0/8');
      expect((await gateway.call()).body.detail).to.equal('Calls by this network are blocked: Too curious.');
    });

    it('let other networks pass', async () => {
      await block('network', '10.0.0.0/8');
      expect((await gateway.call()).status).to.equal(200);
    });

    it('hold at once and end at once', async () => {
      const rule = await block('user', gateway.caller.id);
      expect((await gateway.call()).status).to.equal(403);
      await gateway.manage('DELETE', `/gateway/blocks/${rule.id}`);
      expect((await gateway.call()).status).to.equal(200);
    });

    it('end at their time', async () => {
      // By so much that ids of later tests, whose clock is the system's, begin anew: after less they would be ahead of it.
      const minutes = 10;
      const until = new Date(clock.now() + minutes * 60_000).toISOString();
      const rule = await block('user', gateway.caller.id, { until });
      expect((await gateway.call()).status).to.equal(403);
      ahead += minutes * 60_000 + 1;
      expect((await gateway.call()).status).to.equal(200);
      expect((await gateway.manage('GET', `/gateway/blocks/${rule.id}`)).active).to.equal(false);
    });
  });
});

describe('block rules of several instances on one PostgreSQL', () => {
  it('hold on all of them', async () => {
    const scratch = await migratedScratch('postgres');
    const one = await startGateway('postgres', { scratch });
    const other = await startPeer(scratch, 'postgres');
    const { token } = one.caller;
    const callOther = async (): Promise<number> =>
      (await other.request('POST', '/gateway/call', { token, body: one.body() })).status;
    try {
      expect(await callOther()).to.equal(200);
      const fields = { subject: 'user', value: one.caller.id, reason: 'Enough.' };
      await one.manage('POST', '/gateway/blocks', fields);
      await until(async () => (await callOther()) === 403, HEARD_ELSEWHERE_MS);
    } finally {
      await other.stop();
      await one.stop();
      await scratch.remove();
    }
  });
});
