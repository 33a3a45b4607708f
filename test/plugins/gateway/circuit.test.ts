import { expect } from 'chai';
import { onEveryEngine, systemClock } from '../../../core/testing.ts';
import { CALL_LOG } from '../../../plugins/invocation/contract.ts';
import { until } from '../../support/until.ts';
import { startUpstream, type Upstream } from '../../support/upstream.ts';
import { startGateway, type GatewayUnderTest } from './support.ts';

const OPEN_MS = 60_000;
/** Stands for a status: the connection is closed without an answer. */
const RESET = 0;
/** Stands for a status: no answer comes. */
const SLOW = 1;

onEveryEngine((engine) => {
  describe('the circuit of an endpoint', () => {
    let status = 500;
    let upstream: Upstream;
    let gateway: GatewayUnderTest;
    /** By how much the monotonic clock was moved, by which circuits measure their open time. */
    let ahead = 0;
    before(async () => {
      upstream = await startUpstream((_request, response) => {
        if (status === RESET) response.destroy();
        else if (status !== SLOW) response.writeHead(status).end();
      });
      gateway = await startGateway(engine, {
        upstream,
        clock: { ...systemClock, elapsed: () => systemClock.elapsed() + ahead },
        gateway: { breaker_failures: 3, breaker_open_ms: OPEN_MS },
      });
    });
    beforeEach(async () => {
      status = 500;
      upstream.requests.length = 0;
      await gateway.renew();
    });
    after(() => gateway.stop());

    const codes = async (times: number): Promise<(string | null)[]> => {
      const found = [];
      for (let i = 0; i < times; i++) found.push((await gateway.call()).body.error_code);
      return found;
    };

    it('opens after consecutive failures, and the endpoint gets no more calls', async () => {
      expect(await codes(5)).to.deep.equal([
        'upstream_error',
        'upstream_error',
        'upstream_error',
        'circuit_open',
        'circuit_open',
      ]);
      expect(upstream.requests).to.have.length(3);
    });

    it('leaves a failed record with the time of the next try', async () => {
      await codes(3);
      const { status: answered, body } = await gateway.call();
      expect(answered).to.equal(200);
      expect(body).to.include({ status: 'failed', output_data: null, response_time: 0 });
      expect(body.error_message).to.match(
        /^The endpoint failed 3 times in a row, the last time with upstream_error, and was not asked[.] It is tried again from \d{4}-\d\d-\d\dT.*Z on[.]$/,
      );
      const read = await gateway.request('GET', `/algorithms/calls/${body.id}`, {
        token: gateway.caller.token,
      });
      expect(read.body).to.deep.equal(body);
    });

    it('counts such calls as failed', async () => {
      const before = await gateway.stats();
      await codes(5);
      const after = await gateway.stats();
      expect(after.failed_requests - before.failed_requests).to.equal(5);
    });

    it('stays closed when a success comes between', async () => {
      await codes(2);
      status = 200;
      await codes(1);
      status = 500;
      expect(await codes(2)).to.deep.equal(['upstream_error', 'upstream_error']);
    });

    it('opens too when it closes every connection without an answer', async () => {
      status = RESET;
      expect(await codes(4)).to.deep.equal([
        ...Array<string>(3).fill('upstream_unreachable'),
        'circuit_open',
      ]);
    });

    it('ignores refusals of the endpoint', async () => {
      status = 400;
      expect(new Set(await codes(6))).to.deep.equal(new Set(['upstream_rejected']));
    });

    it('closes when the trial call succeeds', async () => {
      await codes(4);
      status = 200;
      ahead += OPEN_MS * 1.5;
      expect(await codes(2)).to.deep.equal([null, null]);
    });

    it('stays open for longer when the trial call fails', async () => {
      await codes(4);
      ahead += OPEN_MS * 1.5;
      expect(await codes(1)).to.deep.equal(['upstream_error']);
      ahead += OPEN_MS * 1.5;
      expect(await codes(1)).to.deep.equal(['circuit_open']);
    });

    it('is tried again after the same time when the clients of its trials gave up', async () => {
      await codes(3);
      status = SLOW;
      const calls = gateway.get(CALL_LOG);
      for (let trial = 1; trial <= 3; trial++) {
        ahead += OPEN_MS * 1.3;
        const leave = gateway.callAndLeave();
        await until(() => upstream.requests.length === 3 + trial);
        await leave();
        const recorded = 2 + 2 * trial;
        await until(async () => (await calls.count({ userId: gateway.caller.id })) === recorded);
        expect(await codes(1)).to.deep.equal(['circuit_open']);
      }
      status = 200;
      ahead += OPEN_MS * 1.3;
      expect(await codes(2)).to.deep.equal([null, null]);
    });

    it('counts failed trials among the failures that it names', async () => {
      await codes(3);
      ahead += OPEN_MS * 1.5;
      status = RESET;
      await codes(1);
      expect((await gateway.call()).body.error_message).to.include(
        'failed 4 times in a row, the last time with upstream_unreachable',
      );
    });

    it('belongs to one version', async () => {
      await codes(4);
      const healthy = await startUpstream();
      const other = await gateway.addAlgorithm({ url: healthy.url });
      const answer = await gateway.call(other);
      await healthy.stop();
      expect(answer.body.status).to.equal('success');
    });

    it('is that of calls at /algorithms/call as well', async () => {
      await codes(3);
      const { token } = gateway.caller;
      const direct = await gateway.request('POST', '/algorithms/call', { token, body: gateway.body() });
      expect(direct.body.error_code).to.equal('circuit_open');
    });
  });
});
