import { expect } from 'chai';
import { conformance, DATE_TIME, UNKNOWN_ID } from './support/api.ts';

conformance('monitoring', (api) => {
  describe('GET /health', () => {
    it('is open and says healthy', async () => {
      expect(await api.ok('GET', '/health')).to.deep.equal({ status: 'healthy' });
    });

    it('answers requests with bad credentials too', async () => {
      expect(await api.ok('GET', '/health', { headers: { authorization: 'Bearer nonsense' } })).to.deep.equal(
        {
          status: 'healthy',
        },
      );
    });
  });

  for (const path of ['/livez', '/readyz']) {
    it(`answers ${path} at the root`, async () => {
      const { status } = await api.vitrine.request('GET', api.vitrine.rootUrl + path);
      expect(status).to.equal(200);
    });
  }

  describe('GET /monitoring/health', () => {
    it('answers a status and measured percentages', async () => {
      const health = await api.ok('GET', '/monitoring/health', { as: 'ann' });
      expect(['healthy', 'degraded', 'unhealthy']).to.include(health.status);
      expect(health.timestamp).to.match(DATE_TIME);
      expect(health.system_metrics).to.have.keys('cpu_percent', 'memory_percent', 'disk_percent');
      for (const percent of Object.values(health.system_metrics)) expect(percent).to.be.within(0, 100);
      expect(health.system_metrics.memory_percent).to.be.greaterThan(0);
      expect(health.system_metrics.disk_percent).to.be.greaterThan(0);
    });

    it('needs a token', () => api.refused(401, 'GET', '/monitoring/health'));
  });

  describe('GET /monitoring/performance/algorithm/{algorithm_id}', () => {
    const path = (id: string) => `/monitoring/performance/algorithm/${id}`;
    const performance = (id: string, query = '') => api.ok('GET', path(id) + query, { as: 'ann' });

    it('answers the calls of all users in seven days', async () => {
      const callable = await api.callable();
      const { algorithm_id } = callable;
      const broken = await api.version(algorithm_id, { url: 'http://127.0.0.1:9/' });
      const records = [
        await api.call('ann', callable),
        await api.call('ben', callable),
        await api.call('ben', { ...callable, version_id: broken.id }),
      ];
      const answer = await performance(algorithm_id);
      expect(answer).to.deep.include({
        algorithm_id,
        period_days: 7,
        total_calls: 3,
        success_calls: 2,
        failed_calls: 1,
        success_rate: 66.6667,
        status_distribution: { success: 2, failed: 1 },
      });
      const mean = records.reduce((sum, { response_time }) => sum + response_time, 0) / 3;
      expect(answer.average_response_time).to.be.closeTo(mean, 0.0001);
      expect(answer.timestamp).to.match(DATE_TIME);
    });

    it('answers zeros and an empty object where there is nothing', async () => {
      const { id } = await api.algorithm();
      expect(await performance(id, '?days=365')).to.deep.include({
        period_days: 365,
        total_calls: 0,
        success_calls: 0,
        failed_calls: 0,
        success_rate: 0,
        average_response_time: 0,
        status_distribution: {},
      });
    });

    for (const days of ['0', '366', '-1', '1.5', 'week']) {
      it(`refuses ${days} days`, async () => {
        const { id } = await api.algorithm();
        expect(await api.pointers('GET', `${path(id)}?days=${days}`, { as: 'ann' })).to.deep.equal([
          '/query/days',
        ]);
      });
    }

    it('does not know an unknown algorithm', async () => {
      await api.refused(404, 'GET', path(UNKNOWN_ID), { as: 'ann' });
      await api.refused(404, 'GET', path('nonsense'), { as: 'ann' });
    });

    it('needs a token', async () => {
      await api.refused(401, 'GET', path((await api.algorithm()).id));
    });
  });

  describe('GET /monitoring/series', () => {
    it('answers administrators the calls of everybody with an algorithm', async () => {
      const callable = await api.callable();
      await api.call('ann', callable);
      await api.call('ben', callable);
      const { algorithm_id, version_id } = callable;
      for (const query of [
        `?algorithm_id=${algorithm_id}`,
        `?algorithm_id=${algorithm_id}&version_id=${version_id}`,
      ]) {
        const { points } = await api.ok('GET', `/monitoring/series${query}`, { as: 'admin' });
        expect(points).to.have.length(30);
        expect(points.at(-1), query).to.include({ success: 2, failed: 0 });
      }
    });

    it('is refused to others, and to those who do not manage the algorithm', async () => {
      const { id } = await api.algorithm();
      await api.refused(403, 'GET', '/monitoring/series', { as: 'ann' });
      await api.refused(403, 'GET', `/monitoring/series?algorithm_id=${id}`, { as: 'ann' });
      await api.refused(404, 'GET', `/monitoring/series?algorithm_id=${UNKNOWN_ID}`, { as: 'ann' });
    });

    it('needs a token', () => api.refused(401, 'GET', '/monitoring/series'));
  });
});
