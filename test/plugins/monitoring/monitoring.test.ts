import { expect } from 'chai';
import { DATABASE } from '../../../core/index.ts';
import { CATALOGUE } from '../../../plugins/catalogue/contract.ts';
import { onEveryEngine, systemClock } from '../../../core/testing.ts';
import { startUpstream, type Upstream } from '../../support/upstream.ts';
import { startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';

const DAY = 86_400_000;
/** Far from midnight, so that no test runs over it. */
const NOON = Date.UTC(2026, 5, 15, 12);
const calm = { monitoring: { disk_degraded_percent: 100, memory_degraded_percent: 100 } };

onEveryEngine((engine) => {
  describe('monitoring', () => {
    let vitrine: Vitrine;
    let upstream: Upstream;
    let user: SignedIn;
    let offset = 0;
    before(async () => {
      upstream = await startUpstream(({ body }, response) => {
        if (body.input_data.fail) response.statusCode = 500;
        return { ok: true };
      });
      const clock = {
        now: () => NOON + Math.floor(systemClock.elapsed()) + offset,
        elapsed: systemClock.elapsed,
      };
      const plugins = ['users', 'catalogue', 'invocation', 'monitoring'];
      vitrine = await startVitrine(engine, { plugins, clock, settings: calm });
      user = await vitrine.user('ada');
    });
    beforeEach(() => (offset = 0));
    after(async () => {
      await vitrine.stop();
      await upstream.stop();
    });

    const newAlgorithm = async (): Promise<{ algorithm_id: string; version_id: string }> => {
      const catalogue = vitrine.get(CATALOGUE);
      const { id } = await catalogue.create({ name: 'Echo', description: 'Says it again', type: 'nlp' });
      const version = await catalogue.createVersion(id, { version: '1', url: upstream.url });
      return { algorithm_id: id, version_id: version.id };
    };
    const call = async (of: { algorithm_id: string; version_id: string }, input_data: object = {}) => {
      const { status } = await vitrine.request('POST', '/algorithms/call', {
        body: { ...of, input_data },
        token: user.token,
      });
      expect(status).to.equal(200);
    };
    const performance = (id: string, query = '') =>
      vitrine.request('GET', `/monitoring/performance/algorithm/${id}${query}`, { token: user.token });

    describe('/health', () => {
      it('needs no token', async () => {
        const { status, body } = await vitrine.request('GET', '/health');
        expect(status).to.equal(200);
        expect(body).to.deep.equal({ status: 'healthy' });
      });

      it('ignores bad credentials', async () => {
        expect((await vitrine.request('GET', '/health', { token: 'bad' })).status).to.equal(200);
      });
    });

    describe('/monitoring/health', () => {
      const health = () => vitrine.request('GET', '/monitoring/health', { token: user.token });

      it('needs a token', async () => {
        expect((await vitrine.request('GET', '/monitoring/health')).status).to.equal(401);
      });

      it('tells state, time and measured percentages', async () => {
        const { status, body } = await health();
        expect(status).to.equal(200);
        expect(Object.keys(body)).to.deep.equal(['status', 'timestamp', 'system_metrics']);
        expect(body.status).to.equal('healthy');
        expect(body.timestamp).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        for (const name of ['cpu_percent', 'memory_percent', 'disk_percent']) {
          expect(body.system_metrics[name], name).to.be.within(0, 100);
          expect(Number(body.system_metrics[name].toFixed(4))).to.equal(body.system_metrics[name]);
        }
        expect(body.system_metrics.memory_percent).to.be.greaterThan(0);
        expect(body.system_metrics.disk_percent).to.be.greaterThan(0);
      });

      it('answers within 50 ms', async () => {
        const times: number[] = [];
        for (let i = 0; i < 5; i += 1) {
          const began = systemClock.elapsed();
          await health();
          times.push(systemClock.elapsed() - began);
        }
        expect(Math.min(...times)).to.be.lessThan(50);
      });
    });

    describe('/monitoring/performance/algorithm/{algorithm_id}', () => {
      it('needs a token', async () => {
        const { status } = await vitrine.request('GET', '/monitoring/performance/algorithm/x');
        expect(status).to.equal(401);
      });

      it('answers 404 to an unknown algorithm', async () => {
        const { status, body } = await performance('nobody');
        expect([status, body.code]).to.deep.equal([404, 'algorithm_not_found']);
      });

      it('answers zeros where nothing was called', async () => {
        const { algorithm_id } = await newAlgorithm();
        const { status, body } = await performance(algorithm_id);
        const { timestamp, ...figures } = body;
        expect(status).to.equal(200);
        expect(timestamp).to.be.a('string');
        expect(figures).to.deep.equal({
          algorithm_id,
          period_days: 7,
          total_calls: 0,
          success_calls: 0,
          failed_calls: 0,
          success_rate: 0,
          average_response_time: 0,
          status_distribution: {},
        });
      });

      it('counts how calls ended', async () => {
        const algorithm = await newAlgorithm();
        await call(algorithm);
        await call(algorithm);
        await call(algorithm, { fail: true });
        const { body } = await performance(algorithm.algorithm_id);
        expect(body).to.include({ total_calls: 3, success_calls: 2, failed_calls: 1, success_rate: 66.6667 });
        expect(body.status_distribution).to.deep.equal({ success: 2, failed: 1 });
        expect(body.average_response_time).to.be.greaterThan(0).and.lessThan(5);
      });

      it('counts one algorithm only', async () => {
        const [one, other] = [await newAlgorithm(), await newAlgorithm()];
        await call(other);
        expect((await performance(one.algorithm_id)).body.total_calls).to.equal(0);
      });

      it('shows administrators with which codes calls failed', async () => {
        const algorithm = await newAlgorithm();
        await call(algorithm);
        await call(algorithm, { fail: true });
        await call(algorithm, { fail: true });
        const { token } = await vitrine.admin();
        const path = `/monitoring/performance/algorithm/${algorithm.algorithm_id}`;
        const { body } = await vitrine.request('GET', path, { token });
        expect(body.error_distribution).to.deep.equal({ upstream_error: 2 });
      });

      it('shows no codes to those who do not manage the algorithm', async () => {
        const algorithm = await newAlgorithm();
        await call(algorithm, { fail: true });
        const { body } = await performance(algorithm.algorithm_id);
        expect(body.failed_calls).to.equal(1);
        expect(body).not.to.have.property('error_distribution');
      });

      it('keeps the figures of a deleted algorithm for administrators', async () => {
        const algorithm = await newAlgorithm();
        await call(algorithm, { fail: true });
        const { token } = await vitrine.admin();
        const path = `/monitoring/performance/algorithm/${algorithm.algorithm_id}`;
        const seen = () => vitrine.request('GET', path, { token });
        const { timestamp: _, ...before } = (await seen()).body;
        await vitrine.request('DELETE', `/algorithms/${algorithm.algorithm_id}`, { token });
        expect((await seen()).body).to.deep.include(before);
        expect((await performance(algorithm.algorithm_id)).body.code).to.equal('algorithm_not_found');
      });

      it('answers 404 to administrators where a deleted algorithm was never called', async () => {
        const { algorithm_id } = await newAlgorithm();
        const { token } = await vitrine.admin();
        await vitrine.request('DELETE', `/algorithms/${algorithm_id}`, { token });
        const path = `/monitoring/performance/algorithm/${algorithm_id}`;
        expect((await vitrine.request('GET', path, { token })).body.code).to.equal('algorithm_not_found');
      });

      it('looks at the last days, today included', async () => {
        const algorithm = await newAlgorithm();
        await call(algorithm);
        const seen = async (daysLater: number, days: number): Promise<number> => {
          offset = daysLater * DAY;
          const { token } = await signInAgain(vitrine);
          const path = `/monitoring/performance/algorithm/${algorithm.algorithm_id}?days=${days}`;
          return (await vitrine.request('GET', path, { token })).body.total_calls as number;
        };
        expect(await seen(0, 1)).to.equal(1);
        expect(await seen(2, 2)).to.equal(0);
        expect(await seen(2, 3)).to.equal(1);
        expect(await seen(6, 7)).to.equal(1);
        expect(await seen(7, 7)).to.equal(0);
        expect(await seen(364, 365)).to.equal(1);
      });

      for (const days of ['0', '366', 'x', '1.5']) {
        it(`refuses days=${days}`, async () => {
          const { status, body } = await performance('nobody', `?days=${days}`);
          expect(status).to.equal(422);
          expect(body.errors[0].pointer).to.equal('/query/days');
        });
      }
    });

    it('shows the shares as metrics', async () => {
      const { body } = await vitrine.request('GET', `${vitrine.rootUrl}/metrics`);
      expect(body).to.match(/^system_memory_utilization_ratio 0\.\d+$/m);
    });
  });

  describe('monitoring of an algorithm that somebody was granted to manage', () => {
    let vitrine: Vitrine;
    before(async () => {
      const plugins = ['users', 'catalogue', 'permissions', 'invocation', 'monitoring'];
      vitrine = await startVitrine(engine, { plugins, settings: calm });
    });
    after(() => vitrine.stop());

    it('shows them with which codes calls failed', async () => {
      const [ada, admin] = [await vitrine.user('ada'), await vitrine.admin()];
      const about = { name: 'Echo', description: 'Says it again', type: 'nlp' };
      const { id } = await vitrine.get(CATALOGUE).create(about);
      const seen = async () => {
        const path = `/monitoring/performance/algorithm/${id}`;
        return (await vitrine.request('GET', path, { token: ada.token })).body.error_distribution;
      };
      const grant = async (permission_type: string) => {
        const body = { algorithm_id: id, user_id: ada.id, permission_type };
        expect(
          (await vitrine.request('POST', '/permissions/grants', { body, token: admin.token })).status,
        ).to.equal(200);
      };
      await grant('execute');
      expect(await seen()).to.equal(undefined);
      await grant('manage');
      expect(await seen()).to.deep.equal({});
    });
  });

  describe('monitoring that finds something wrong', () => {
    it('answers /health with 503 while the service cannot work', async () => {
      const vitrine = await startVitrine(engine, { plugins: ['users', 'monitoring'], settings: calm });
      vitrine.get(DATABASE).ping = () => Promise.reject(new Error('away'));
      const { status, body } = await vitrine.request('GET', '/health');
      await vitrine.stop();
      expect([status, body]).to.deep.equal([503, { status: 'unhealthy' }]);
    });

    it('calls the service degraded, and keeps it ready', async () => {
      const settings = { monitoring: { memory_degraded_percent: 1 } };
      const vitrine = await startVitrine(engine, { plugins: ['users', 'monitoring'], settings });
      const { token } = await vitrine.user('ada');
      const health = await vitrine.request('GET', '/monitoring/health', { token });
      const ready = await vitrine.request('GET', `${vitrine.rootUrl}/readyz?verbose`);
      const brief = await vitrine.request('GET', '/health');
      await vitrine.stop();
      expect(health.body.status).to.equal('degraded');
      expect([brief.status, brief.body]).to.deep.equal([200, { status: 'degraded' }]);
      expect(ready.status).to.equal(200);
      expect(ready.body.findings['monitoring:memory'].detail).to.match(
        /^The memory is \d+ % full, above 1 %\.$/,
      );
    });
  });

  describe('monitoring without the plugins that call algorithms', () => {
    let vitrine: Vitrine;
    before(async () => (vitrine = await startVitrine(engine, { plugins: ['users', 'monitoring'] })));
    after(() => vitrine.stop());

    it('still answers /health', async () => {
      expect((await vitrine.request('GET', '/health')).status).to.equal(200);
    });

    it('says that there are no figures', async () => {
      const { token } = await vitrine.user('ada');
      const { status, body } = await vitrine.request('GET', '/monitoring/performance/algorithm/x', { token });
      expect([status, body.code]).to.deep.equal([503, 'performance_unavailable']);
    });
  });
});

/** A token that is valid at the moment that the clock shows. */
async function signInAgain(vitrine: Vitrine): Promise<{ token: string }> {
  const body = { username: 'ada', password: 'correct horse battery' };
  const login = await vitrine.request('POST', '/users/login', { body });
  return { token: login.body.access_token as string };
}
