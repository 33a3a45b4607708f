import { expect } from 'chai';
import { newId } from '../../../core/index.ts';
import { onEveryEngine, systemClock } from '../../../core/testing.ts';
import { recordAt, store } from '../invocation/support/records.ts';
import { startStage, type Stage } from '../invocation/support/stage.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const TODAY = '?start_date=2026-11-21&end_date=2026-11-21';

describe('A series of calls', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let idOfAlice: string;
    const [echo, bob] = [newId(), newId()];
    before(async () => {
      const began = systemClock.now();
      const clock = { ...systemClock, now: () => NOON + systemClock.now() - began };
      stage = await startStage(engine, undefined, { clock });
      idOfAlice = (await stage.request('GET', '/users/me', { token: stage.alice })).body.id;
      const mine = { user_id: idOfAlice, algorithm_id: echo };
      await store(stage, [
        recordAt('2026-11-20T23:59:59.999Z', { ...mine, response_time: 0.1 }),
        recordAt('2026-11-21T00:00:00.000Z', { ...mine, response_time: 0.2, status: 'failed' }),
        recordAt('2026-11-21T11:00:00.000Z', { ...mine, response_time: 0.4 }),
        recordAt('2026-11-21T11:30:00.000Z', { ...mine, user_id: bob, response_time: 1 }),
      ]);
    });
    after(() => stage.stop());

    const series = (query = '', token = stage.alice) =>
      stage.request('GET', `/history/series${query}`, { token });
    const counted = ({ body }: Awaited<ReturnType<typeof series>>) =>
      (body.points as { success: number; failed: number }[]).reduce(
        (sum, { success, failed }) => sum + success + failed,
        0,
      );

    it('has thirty days unless it is asked for others', async () => {
      const { status, body } = await series();
      expect(status).to.equal(200);
      expect(body).to.include({
        bucket: 'day',
        start: '2026-10-23T00:00:00.000Z',
        end: '2026-11-22T00:00:00.000Z',
      });
      expect(body.points).to.have.length(30);
      expect(body.points[28]).to.deep.include({ at: '2026-11-20T00:00:00.000Z', success: 1, failed: 0 });
      expect(body.points[29]).to.deep.include({ at: '2026-11-21T00:00:00.000Z', success: 1, failed: 1 });
    });

    it('tells how long calls took, within 10 %', async () => {
      const [{ p50, p95, average }] = (await series(TODAY)).body.points;
      expect(p50).to.be.within(0.18, 0.22);
      expect(p95).to.be.within(0.36, 0.44);
      expect(average).to.equal(0.3);
    });

    it('tells of all points together, whose percentiles are not those of a point', async () => {
      const { total } = (await series()).body;
      expect(total).to.include({ success: 2, failed: 1, average: 0.233333 });
      expect(total.p50).to.be.within(0.18, 0.22);
      expect(total.p95).to.be.within(0.36, 0.44);
      const { total: ofNone } = (await series('?status=canceled')).body;
      expect(ofNone).to.deep.equal({ success: 0, failed: 0, p50: null, p95: null, average: null });
    });

    it('has hours when they are asked for', async () => {
      const { body } = await series('?bucket=hour');
      expect(body.points).to.have.length(48);
      expect(body.points[46]).to.deep.include({ at: '2026-11-21T11:00:00.000Z', success: 1, failed: 0 });
    });

    it('may be of one status or one algorithm', async () => {
      expect(counted(await series('?status=failed'))).to.equal(1);
      expect(counted(await series(`?algorithm_id=${echo}`))).to.equal(3);
      expect(counted(await series(`?algorithm_id=${newId()}`))).to.equal(0);
    });

    it('is of the caller, and of everybody for administrators', async () => {
      expect(counted(await series())).to.equal(3);
      expect(counted(await series('', stage.admin))).to.equal(4);
      expect(counted(await series('', await stage.signUp('newcomer')))).to.equal(0);
    });

    it('is of one user for administrators who name one', async () => {
      expect(counted(await series(`?user_id=${bob}`, stage.admin))).to.equal(1);
    });

    it('of somebody else is refused', async () => {
      expect(counted(await series(`?user_id=${idOfAlice}`))).to.equal(3);
      const { status, body } = await series(`?user_id=${bob}`);
      expect([status, body.code]).to.deep.equal([403, 'forbidden']);
    });

    it('has no points where the end is before the start', async () => {
      const { status, body } = await series('?start_date=2026-11-21&end_date=2026-11-20');
      expect([status, body.points]).to.deep.equal([200, []]);
    });

    it('counts a call as soon as it is answered', async () => {
      const carol = await stage.signUp('carol');
      await stage.call(await stage.play(), {}, carol);
      expect(counted(await series(TODAY, carol))).to.equal(1);
    });

    it('keeps the calls of an algorithm that was deleted', async () => {
      const dora = await stage.signUp('dora');
      const of = await stage.play();
      await stage.call(of, {}, dora);
      const { status } = await stage.request('DELETE', `/algorithms/${of.algorithm_id}`, {
        token: stage.admin,
      });
      expect(status).to.equal(200);
      expect(counted(await series(`?algorithm_id=${of.algorithm_id}`, dora))).to.equal(1);
    });

    for (const [query, pointer] of [
      ['bucket=week', '/query/bucket'],
      ['start_date=yesterday', '/query/start_date'],
      ['start_date=2020-01-01', '/query/start_date'],
      [`version_id=${newId()}`, '/query/version_id'],
    ] as const) {
      it(`refuses ${query.replace(/=.{36}$/, ' alone')}`, async () => {
        const { status, body } = await series(`?${query}`);
        expect([status, body.errors[0].pointer]).to.deep.equal([422, pointer]);
      });
    }
  });
});
