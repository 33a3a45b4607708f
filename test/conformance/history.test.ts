import { expect } from 'chai';
import { conformance, UNKNOWN_ID } from './support/api.ts';

interface Entry {
  readonly id: string;
  readonly created_at: string;
  readonly response_time: number;
}

conformance('history and statistics', (api) => {
  const dayBefore = (time: string) => new Date(Date.parse(time) - 86_400_000).toISOString().slice(0, 10);
  const history = (as: string, query = '') => api.ok('GET', `/history/user-calls${query}`, { as });
  const statistics = (as: string, query = '') => api.ok('GET', `/history/statistics${query}`, { as });
  const idsOf = ({ history: entries }: { history: Entry[] }) => entries.map(({ id }) => id);

  let callable: Awaited<ReturnType<typeof api.callable>>;
  let broken: typeof callable;
  const records: Entry[] = [];
  before(async () => {
    callable = await api.callable();
    broken = await api.callable({ url: 'http://127.0.0.1:9/' });
    for (const body of [callable, broken, callable]) records.push(await api.call('ann', body));
  });

  describe('GET /history/user-calls', () => {
    it('answers the records of the caller, newest first, and echoes the page', async () => {
      expect(await history('ann')).to.deep.equal({
        history: records.toReversed(),
        count: 3,
        total: 3,
        skip: 0,
        limit: 100,
        next_cursor: null,
      });
    });

    it('shows only the calls of the caller, to administrators too', async () => {
      expect(await history('ben')).to.include({ count: 0, total: 0 });
      expect(await history('admin')).to.include({ count: 0, total: 0 });
    });

    it('counts in count what is here, and in total all that match', async () => {
      const page = await history('ann', '?skip=1&limit=1');
      expect(page).to.include({ count: 1, total: 3, skip: 1, limit: 1 });
      expect(idsOf(page)).to.deep.equal([records[1]!.id]);
      expect(await history('ann', '?skip=50')).to.include({ count: 0, total: 3, skip: 50 });
    });

    it('filters by algorithm and by status, together', async () => {
      expect(idsOf(await history('ann', `?algorithm_id=${broken.algorithm_id}`))).to.deep.equal([
        records[1]!.id,
      ]);
      expect(await history('ann', '?status=success')).to.include({ count: 2, total: 2 });
      expect(await history('ann', `?status=success&algorithm_id=${broken.algorithm_id}`)).to.include({
        total: 0,
      });
      expect(await history('ann', `?algorithm_id=${UNKNOWN_ID}`)).to.include({ total: 0 });
      expect(await history('ann', '?algorithm_id=nonsense')).to.include({ total: 0 });
    });

    it('takes whole days in UTC, the last one included, each bound alone', async () => {
      const { created_at } = records[0]!;
      const today = created_at.slice(0, 10);
      const yesterday = dayBefore(created_at);
      expect(await history('ann', `?start_date=${today}`)).to.include({ total: 3 });
      expect(await history('ann', `?end_date=${today}`)).to.include({ total: 3 });
      expect(await history('ann', `?start_date=${today}&end_date=${today}`)).to.include({ total: 3 });
      expect(await history('ann', `?end_date=${yesterday}`)).to.include({ total: 0 });
      expect(await history('ann', '?start_date=2999-01-01')).to.include({ total: 0 });
    });

    it('takes date-times, both ends included, with any offset', async () => {
      const { created_at } = records[1]!;
      const there = new Date(Date.parse(created_at) + 2 * 3_600_000).toISOString().replace('Z', '+02:00');
      for (const time of [created_at, encodeURIComponent(there)]) {
        const page = await history('ann', `?start_date=${time}&end_date=${time}`);
        expect(idsOf(page)).to.include(records[1]!.id);
      }
    });

    for (const query of [
      'start_date=yesterday',
      'end_date=2026-02-30',
      'start_date=2026-13-01',
      'skip=-1',
      'limit=0',
      'limit=1001',
      'nonsense=1',
    ]) {
      it(`refuses ${query} by its name`, async () => {
        const pointers = await api.pointers('GET', `/history/user-calls?${query}`, { as: 'ann' });
        expect(pointers).to.deep.equal([`/query/${query.split('=')[0]}`]);
      });
    }

    it('needs a token', () => api.refused(401, 'GET', '/history/user-calls'));
  });

  describe('GET /history/statistics', () => {
    it('answers those of the caller', async () => {
      const answer = await statistics('ann');
      expect(answer).to.deep.include({
        total_calls: 3,
        status_counts: { success: 2, failed: 1 },
        success_rate: 66.6667,
        today_calls: 3,
      });
      const mean = records.reduce((sum, { response_time }) => sum + response_time, 0) / 3;
      expect(answer.avg_response_time).to.be.closeTo(mean, 0.0001);
    });

    it('answers zeros and an empty object where there is nothing', async () => {
      expect(await statistics('ben')).to.deep.equal({
        total_calls: 0,
        status_counts: {},
        success_rate: 0,
        avg_response_time: 0,
        today_calls: 0,
      });
    });

    it('filters by algorithm', async () => {
      expect(await statistics('ann', `?algorithm_id=${broken.algorithm_id}`)).to.deep.include({
        total_calls: 1,
        status_counts: { failed: 1 },
        success_rate: 0,
      });
      expect(await statistics('ann', `?algorithm_id=${UNKNOWN_ID}`)).to.include({ total_calls: 0 });
    });

    it('answers an administrator those of all users, or of one', async () => {
      await api.call('cid', callable);
      expect(await statistics('admin')).to.include({ total_calls: 4 });
      const { id } = await api.person('cid');
      expect(await statistics('admin', `?user_id=${id}`)).to.include({ total_calls: 1 });
      expect(await statistics('admin', `?user_id=${UNKNOWN_ID}`)).to.include({ total_calls: 0 });
    });

    it('answers other callers their own by their id, and refuses those of other users', async () => {
      const [ann, cid] = [await api.person('ann'), await api.person('cid')];
      expect(await statistics('ann', `?user_id=${ann.id}`)).to.include({ total_calls: 3 });
      await api.refused(403, 'GET', `/history/statistics?user_id=${cid.id}`, { as: 'ann' });
      await api.refused(403, 'GET', `/history/statistics?user_id=${UNKNOWN_ID}`, { as: 'ann' });
    });

    it('needs a token', () => api.refused(401, 'GET', '/history/statistics'));
  });

  describe('GET /history/series', () => {
    const series = (as: string, query = '') => api.ok('GET', `/history/series${query}`, { as });
    const point = { success: 2, failed: 1 };

    it('answers thirty days of the caller, the present one last', async () => {
      const answer = await series('ann');
      expect(answer.bucket).to.equal('day');
      expect(answer.points).to.have.length(30);
      const last = answer.points.at(-1);
      expect(last).to.deep.include({ at: `${records[0]!.created_at.slice(0, 10)}T00:00:00.000Z`, ...point });
      for (const name of ['p50', 'p95', 'average']) expect(last[name], name).to.be.a('number');
    });

    it('answers hours and the algorithm that were asked for', async () => {
      const { points } = await series('ann', `?bucket=hour&algorithm_id=${broken.algorithm_id}`);
      expect(points).to.have.length(48);
      expect(points.at(-1)).to.include({ success: 0, failed: 1 });
    });

    it('answers zeros and null where there is nothing', async () => {
      const answer = await series('ben', '?start_date=2026-01-31&end_date=2026-01-31');
      const nothing = { success: 0, failed: 0, p50: null, p95: null, average: null };
      expect(answer).to.deep.equal({
        bucket: 'day',
        start: '2026-01-31T00:00:00.000Z',
        end: '2026-02-01T00:00:00.000Z',
        points: [{ at: '2026-01-31T00:00:00.000Z', ...nothing }],
        total: nothing,
      });
    });

    it("refuses anybody else's, but to administrators", async () => {
      const { id } = await api.person('ann');
      await api.refused(403, 'GET', `/history/series?user_id=${id}`, { as: 'ben' });
      expect((await series('admin', `?user_id=${id}`)).points.at(-1)).to.include(point);
    });

    it('needs a token', () => api.refused(401, 'GET', '/history/series'));
  });
});
