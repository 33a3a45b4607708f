import { expect } from 'chai';
import { newId } from '../../../core/index.ts';
import { onEveryEngine, systemClock } from '../../../core/testing.ts';
import { recordAt, store } from '../invocation/support/records.ts';
import { startStage, type Stage } from '../invocation/support/stage.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

const nothing = { total_calls: 0, status_counts: {}, success_rate: 0, avg_response_time: 0, today_calls: 0 };

describe('Statistics of calls', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let idOfAlice: string;
    const [echo, other, bob] = [newId(), newId(), newId()];
    before(async () => {
      const began = systemClock.now();
      const clock = { ...systemClock, now: () => NOON + systemClock.now() - began };
      stage = await startStage(engine, undefined, { clock });
      idOfAlice = (await stage.request('GET', '/users/me', { token: stage.alice })).body.id;
      const mine = { user_id: idOfAlice, algorithm_id: echo };
      await store(stage, [
        recordAt('2026-11-20T23:59:59.999Z', { ...mine, response_time: 0.1 }),
        recordAt('2026-11-21T00:00:00.000Z', { ...mine, response_time: 0.2, status: 'failed' }),
        recordAt('2026-11-21T11:00:00.000Z', { ...mine, algorithm_id: other, response_time: 0.4 }),
        recordAt('2026-11-21T11:30:00.000Z', { ...mine, user_id: bob, response_time: 1 }),
      ]);
    });
    after(() => stage.stop());

    const statistics = async (query = '', token = stage.alice) =>
      stage.request('GET', `/history/statistics${query}`, { token });

    const byAlgorithm = async (query = '', token = stage.alice) =>
      stage.request('GET', `/history/algorithms${query}`, { token });

    it('need credentials', async () => {
      expect((await stage.request('GET', '/history/algorithms')).status).to.equal(401);
      expect((await stage.request('GET', '/history/statistics')).status).to.equal(401);
    });

    it('are of the caller', async () => {
      const { status, body } = await statistics();
      expect(status).to.equal(200);
      expect(body).to.deep.equal({
        total_calls: 3,
        status_counts: { success: 2, failed: 1 },
        success_rate: 66.6667,
        avg_response_time: 0.2333,
        today_calls: 2,
      });
    });

    it('are of one algorithm when it is named', async () => {
      const { body } = await statistics(`?algorithm_id=${other}`);
      expect(body).to.include({ total_calls: 1, success_rate: 100, avg_response_time: 0.4, today_calls: 1 });
    });

    it('are zeros where there is nothing', async () => {
      const { body } = await statistics('', await stage.signUp('newcomer'));
      expect(body).to.deep.equal(nothing);
    });

    for (const id of [newId(), 'nonsense']) {
      it(`are zeros for an algorithm that does not exist: ${id.slice(0, 8)}`, async () => {
        const { status, body } = await statistics(`?algorithm_id=${id}`);
        expect([status, body]).to.deep.equal([200, nothing]);
      });
    }

    it('may name the caller', async () => {
      expect((await statistics(`?user_id=${idOfAlice}`)).body.total_calls).to.equal(3);
    });

    it('of somebody else are refused', async () => {
      for (const id of [bob, newId(), 'nonsense']) {
        const { status, body } = await statistics(`?user_id=${id}`);
        expect([status, body.code]).to.deep.equal([403, 'forbidden']);
      }
    });

    it('are of everybody for administrators', async () => {
      const { body } = await statistics('', stage.admin);
      expect(body).to.deep.equal({
        total_calls: 4,
        status_counts: { success: 3, failed: 1 },
        success_rate: 75,
        avg_response_time: 0.425,
        today_calls: 3,
      });
    });

    it('are of one user for administrators who name one', async () => {
      const { body } = await statistics(`?user_id=${bob}&algorithm_id=${echo}`, stage.admin);
      expect(body).to.include({ total_calls: 1, today_calls: 1, avg_response_time: 1 });
    });

    it('count a call as soon as it is answered', async () => {
      const carol = await stage.signUp('carol');
      const of = await stage.play();
      const { body: call } = await stage.call(of, {}, carol);
      const { body } = await statistics('', carol);
      expect(body).to.deep.equal({
        total_calls: 1,
        status_counts: { success: 1 },
        success_rate: 100,
        avg_response_time: Math.round(call.response_time * 1e4) / 1e4,
        today_calls: 1,
      });
    });

    it('are by algorithm, the most called first, and of the caller alone', async () => {
      const { status, body } = await byAlgorithm();
      expect(status).to.equal(200);
      expect(body.algorithms).to.deep.equal([
        { algorithm_id: echo, total_calls: 2, success_rate: 50, avg_response_time: 0.15 },
        { algorithm_id: other, total_calls: 1, success_rate: 100, avg_response_time: 0.4 },
      ]);
    });

    it('are by algorithm of the days that are asked for', async () => {
      const called = async (query: string) =>
        (await byAlgorithm(query)).body.algorithms.map(
          (one: { algorithm_id: string; total_calls: number }) => [one.algorithm_id, one.total_calls],
        );
      expect(await called('?start_date=2026-11-21')).to.have.deep.members([
        [echo, 1],
        [other, 1],
      ]);
      expect(await called('?end_date=2026-11-20')).to.deep.equal([[echo, 1]]);
      expect(await called('?start_date=2026-11-22')).to.deep.equal([]);
      // How clients west of Greenwich write that there is no end.
      expect(await called('?end_date=9999-12-31T23:59:59-08:00')).to.deep.equal(await called(''));
      expect(await called('?start_date=9999-12-31T23:59:59-08:00')).to.deep.equal([]);
      expect((await byAlgorithm('?start_date=yesterday')).status).to.equal(422);
    });

    it('refuse values that nobody asked for', async () => {
      expect((await statistics('?days=7')).status).to.equal(422);
    });
  });
});
