import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { conformance, DATE_TIME, UNKNOWN_ID } from './support/api.ts';

const COUNTED_WITHIN_MS = 10_000;
const FEW = () => ({ settings: { gateway: { rate_limit: 5, rate_window_s: 3600 } } });

conformance(
  'gateway',
  (api) => {
    const stats = () => api.ok('GET', '/gateway/stats', { as: 'ann' });
    const through = (as: string, body: object) => api.call(as, body, '/gateway/call');

    /** By how much a counter grew: a refusal waits only for a moment until it is counted. */
    async function growth(counter: string, before: Record<string, number>): Promise<number> {
      const deadline = performance.now() + COUNTED_WITHIN_MS;
      for (;;) {
        const grown = (await stats())[counter] - before[counter]!;
        if (grown > 0 || performance.now() > deadline) return grown;
        await pause(50);
      }
    }

    it('answers the same record as a direct call, and the record can be read as any other', async () => {
      const callable = await api.callable();
      const direct = await api.call('bea', callable);
      const record = await through('bea', callable);
      expect(Object.keys(record)).to.deep.equal(Object.keys(direct));
      expect(record).to.deep.include({ ...callable, status: 'success', error_message: null });
      expect(await api.ok('GET', `/algorithms/calls/${record.id}`, { as: 'bea' })).to.deep.equal(record);
    });

    it('needs a token', async () => {
      await api.refused(401, 'POST', '/gateway/call', { body: await api.callable() });
      await api.refused(401, 'GET', '/gateway/stats');
    });

    it('refuses what a direct call refuses', async () => {
      const callable = await api.callable();
      const refused = (status: number, body: object) =>
        api.refused(status, 'POST', '/gateway/call', { as: 'cid', body });
      await refused(404, { ...callable, version_id: UNKNOWN_ID });
      await refused(409, await api.callable({}, { status: 'inactive' }));
      await refused(403, await api.callable({}, { access: 'restricted' }));
      await refused(422, { ...callable, input_data: 1 });
    });

    it('counts calls by what came of them', async () => {
      const before = await stats();
      await through('dan', await api.callable());
      await through('dan', await api.callable({ url: 'http://127.0.0.1:9/' }));
      const after = await stats();
      expect(after.successful_requests - before.successful_requests).to.equal(1);
      expect(after.failed_requests - before.failed_requests).to.equal(1);
      expect(after.total_requests - before.total_requests).to.equal(2);
      expect(after.last_updated).to.match(DATE_TIME);
    });

    it('says with each answer what is left', async () => {
      const answer = await api.ask('POST', '/gateway/call', { as: 'eva', body: await api.callable() });
      expect(answer.headers).to.include.keys('ratelimit', 'ratelimit-policy');
      expect(answer.headers['ratelimit']).to.match(/r=4\b/);
      expect(answer.headers['ratelimit-policy']).to.match(/q=5;w=3600/);
    });

    it('refuses one request too many with 429, counts it, and records nothing', async () => {
      const callable = await api.callable();
      for (let n = 0; n < 5; n += 1) await through('fay', callable);
      const before = await stats();
      const answer = await api.ask('POST', '/gateway/call', { as: 'fay', body: callable });
      expect(answer.status).to.equal(429);
      expect(Number(answer.headers['retry-after'])).to.be.greaterThan(0).and.at.most(3600);
      expect(answer.headers).to.include.keys('ratelimit', 'ratelimit-policy');
      expect(await growth('rate_limited_requests', before)).to.equal(1);
      expect((await api.ok('GET', '/history/user-calls', { as: 'fay' })).total).to.equal(5);
    });

    it('refuses who is blocked with 403 and the reason, counts it, and records nothing', async () => {
      const { id } = await api.person('gus');
      const body = { subject: 'user', value: id, reason: 'Too curious.' };
      await api.ok('POST', '/gateway/blocks', { as: 'admin', body });
      const before = await stats();
      const callable = await api.callable();
      const problem = await api.refused(403, 'POST', '/gateway/call', { as: 'gus', body: callable });
      expect(problem.detail).to.include('Too curious.');
      expect(await growth('blocked_requests', before)).to.equal(1);
      expect((await api.ok('GET', '/history/user-calls', { as: 'gus' })).total).to.equal(0);
    });

    it('opens the circuit of an endpoint that keeps failing: a failed record, circuit_open', async () => {
      const callable = await api.callable({ url: 'http://127.0.0.1:9/' });
      for (const as of ['hal', 'hal', 'hal', 'ida', 'ida']) await through(as, callable);
      const record = await through('ida', callable);
      expect(record).to.include({ status: 'failed', error_code: 'circuit_open', output_data: null });
    });

    it('has a total that is the sum of the other four', async () => {
      const { total_requests, last_updated, direct, ...others } = await stats();
      expect(Object.keys(others)).to.have.members([
        'successful_requests',
        'failed_requests',
        'blocked_requests',
        'rate_limited_requests',
      ]);
      const sum = (Object.values(others) as number[]).reduce((a, b) => a + b, 0);
      expect(total_requests).to.equal(sum).and.be.greaterThan(10);
      expect(last_updated).to.match(DATE_TIME);
      expect(Object.keys(direct)).to.have.members(['total_requests', 'last_updated', ...Object.keys(others)]);
    });

    it('takes an API key', async () => {
      const made = await api.ok('POST', '/api-keys', {
        as: 'joy',
        body: { name: 'gateway', expires_at: '2999-01-01T00:00:00Z' },
      });
      const ask = { body: await api.callable(), headers: { 'x-api-key': made.key as string } };
      expect(await api.ok('POST', '/gateway/call', ask)).to.include({ status: 'success' });
    });
  },
  FEW,
);
