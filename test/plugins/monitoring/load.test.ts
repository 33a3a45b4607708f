import { expect } from 'chai';
import { DATABASE } from '../../../core/index.ts';
import { onEveryEngine, systemClock } from '../../../core/testing.ts';
import { LOAD_SAMPLER, type LoadSampler } from '../../../plugins/monitoring/load-sampler.ts';
import { startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;

onEveryEngine((engine) => {
  describe('/monitoring/load', () => {
    let vitrine: Vitrine;
    let admin: SignedIn;
    let sampler: LoadSampler;
    let now = NOON;
    const clock = { ...systemClock, now: () => now };
    before(async () => {
      vitrine = await startVitrine(engine, {
        plugins: ['users', 'catalogue', 'invocation', 'monitoring'],
        clock,
      });
      admin = await vitrine.admin();
      sampler = vitrine.get(LOAD_SAMPLER);
    });
    after(() => vitrine.stop());

    const load = (query = '', { token }: SignedIn = admin) =>
      vitrine.request('GET', `/monitoring/load${query}`, { token });
    const sample = async (times: number) => {
      for (let i = 0; i < times; i += 1) await sampler.sample();
    };
    const measured = async (query: string) =>
      (await load(query)).body.points.filter((point: { cpu_percent: object | null }) => point.cpu_percent);

    it('shows what was measured, by minute, hour and day', async () => {
      await sample(3);
      now += MINUTE;
      await sample(3);
      const [first, second, ...others] = await measured('?bucket=minute');
      expect([first.at, second.at, others]).to.deep.equal([
        '2026-11-21T12:00:00.000Z',
        '2026-11-21T12:01:00.000Z',
        [],
      ]);
      for (const figure of ['cpu_percent', 'memory_percent', 'disk_percent']) {
        expect(first[figure].highest, figure).to.be.within(first[figure].mean - 0.01, 100);
      }
      expect(first.memory_percent.mean).to.be.greaterThan(0);
      expect(first.process_memory_bytes.mean).to.be.within(10 * 2 ** 20, 8 * 2 ** 30);
      expect(first.event_loop_delay.highest).to.be.within(0, 60);
      expect(first.database_bytes.mean).to.be.greaterThan(10_000);
      for (const figure of ['records_waiting', 'spooled_batches'])
        expect(first[figure], figure).to.deep.equal({ mean: 0, highest: 0 });
      for (const bucket of ['hour', 'day']) expect(await measured(`?bucket=${bucket}`)).to.have.length(1);
      await vitrine.runJob('invocation:fold-totals');
      expect(await measured('?bucket=minute')).to.deep.equal([first, second]);
    });

    it('has null where nothing was measured', async () => {
      const { points } = (await load('?bucket=minute&end_date=2026-11-21T11:00:00Z')).body;
      expect(points).to.have.length(60);
      expect(points[0]).to.include({ cpu_percent: null, database_bytes: null });
    });

    it('writes what was measured in a minute before that of the next, and the rest at the stop', async () => {
      now = NOON + 10 * MINUTE;
      await sample(1);
      const since = '?bucket=minute&start_date=2026-11-21T12:10:00Z';
      expect(await measured(since)).to.deep.equal([]);
      now += MINUTE;
      await sample(1);
      expect(await measured(since)).to.have.length(1);
      await sampler.stop();
      expect(await measured(since)).to.have.length(2);
    });

    it('is for administrators', async () => {
      const { status, body } = await load('', await vitrine.user('ada'));
      expect([status, body.code]).to.deep.equal([403, 'forbidden']);
      expect((await vitrine.request('GET', '/monitoring/load')).status).to.equal(401);
    });

    for (const query of [
      'bucket=week',
      'start_date=soon',
      'bucket=minute&start_date=2020-01-01',
      'algorithm_id=1',
    ]) {
      it(`refuses ${query}`, async () => {
        expect((await load(`?${query}`)).status).to.equal(422);
      });
    }

    it('loses minutes after 48 hours and hours after 60 days', async () => {
      const buckets = async (): Promise<string[]> => {
        await vitrine.runJob('invocation:old-points');
        const rows = await vitrine.get(DATABASE).knex('monitoring_load').distinct('bucket').orderBy('bucket');
        return rows.map(({ bucket }: { bucket: string }) => bucket);
      };
      expect(await buckets()).to.deep.equal(['day', 'hour', 'minute']);
      now = NOON + 49 * 60 * MINUTE;
      expect(await buckets()).to.deep.equal(['day', 'hour']);
      now = NOON + 62 * 24 * 60 * MINUTE;
      expect(await buckets()).to.deep.equal(['day']);
    });

    it('is unavailable without the plugin that keeps series', async () => {
      const alone = await startVitrine(engine, { plugins: ['users', 'monitoring'] });
      const { token } = await alone.admin();
      const { status, body } = await alone.request('GET', '/monitoring/load', { token });
      await alone.stop();
      expect([status, body.code]).to.deep.equal([503, 'performance_unavailable']);
    });
  });
});
