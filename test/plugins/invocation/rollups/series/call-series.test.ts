import { expect } from 'chai';
import { DATABASE, newId, type Database } from '../../../../../core/index.ts';
import { onEveryEngine, systemClock } from '../../../../../core/testing.ts';
import { CALL_SERIES, type SeriesQuery } from '../../../../../plugins/invocation/contract.ts';
import type { CallRow } from '../../../../../plugins/invocation/recording/call-row.ts';
import { RELATIVE_ERROR } from '../../../../../plugins/invocation/rollups/series/buckets.ts';
import { createCallSeries } from '../../../../../plugins/invocation/rollups/series/call-series.ts';
import { foldSeriesJob } from '../../../../../plugins/invocation/rollups/series/folding.ts';
import { CALLER_SERIES, PENDING_SERIES } from '../../../../../plugins/invocation/rollups/series/tables.ts';
import { seededRandom } from '../../../../support/seeded-random.ts';
import { overheard, planOn, planOnSqlite, type Asked } from '../../support/plans.ts';
import { recordAt, store } from '../../support/records.ts';
import { startStage, type Stage } from '../../support/stage.ts';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 10, 21, 12);
const TODAY = { start_date: '2026-11-21', end_date: '2026-11-21' };

describe('Series of calls', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let database: Database;
    let now = NOON;
    const clock = { ...systemClock, now: () => now };
    before(async () => {
      stage = await startStage(engine, undefined, { clock });
      database = stage.get(DATABASE);
    });
    beforeEach(() => (now = NOON));
    after(() => stage.stop());

    const seriesOf = (user: string | undefined, query: Partial<SeriesQuery> = {}) =>
      stage.get(CALL_SERIES).of(user, { bucket: 'day', ...query });
    const called = async (user: string | undefined, query: Partial<SeriesQuery> = {}) => {
      const { points } = await seriesOf(user, query);
      return points
        .filter(({ success, failed }) => success + failed > 0)
        .map(({ at, success, failed }) => [at, success, failed]);
    };

    it('have percentiles within the promised error of those of the records, and their exact average', async () => {
      const random = seededRandom(11);
      const times = Array.from({ length: 300 }, () => Math.round(1000 * 20_000 ** random.next()) / 1e6);
      const user = newId();
      const rows = times.map((response_time) =>
        recordAt('2026-11-21T03:00:00.000Z', { user_id: user, response_time }),
      );
      for (const half of [rows.slice(0, 150), rows.slice(150)]) await store(stage, half);
      const { points } = await seriesOf(user, TODAY);
      const ascending = times.toSorted((one, other) => one - other);
      const [{ p50, p95, average }] = points as [(typeof points)[0]];
      expect(p50! / ascending[149]! - 1).to.be.within(-RELATIVE_ERROR, RELATIVE_ERROR);
      expect(p95! / ascending[284]! - 1).to.be.within(-RELATIVE_ERROR, RELATIVE_ERROR);
      expect(average).to.be.closeTo(times.reduce((sum, time) => sum + time, 0) / 300, 1e-6);
    });

    describe('of an algorithm with two versions', () => {
      const [user, other, algorithm, first, second] = [newId(), newId(), newId(), newId(), newId()];
      const call = (time: string, fields: Partial<CallRow>) =>
        recordAt(time, { user_id: user, algorithm_id: algorithm, version_id: first, ...fields });
      before(() =>
        store(stage, [
          call('2026-11-20T23:59:59.999Z', {}),
          call('2026-11-21T00:00:00.000Z', { status: 'failed' }),
          call('2026-11-21T00:59:59.999Z', { version_id: second }),
          call('2026-11-21T01:00:00.000Z', { version_id: second, user_id: other }),
        ]),
      );

      it('change at midnight UTC', async () => {
        expect(await called(undefined, { algorithm_id: algorithm })).to.deep.equal([
          ['2026-11-20T00:00:00.000Z', 1, 0],
          ['2026-11-21T00:00:00.000Z', 2, 1],
        ]);
      });

      it('change at the full hour', async () => {
        expect(await called(undefined, { bucket: 'hour', algorithm_id: algorithm })).to.deep.equal([
          ['2026-11-20T23:00:00.000Z', 1, 0],
          ['2026-11-21T00:00:00.000Z', 1, 1],
          ['2026-11-21T01:00:00.000Z', 1, 0],
        ]);
      });

      it('are of one version when it is named', async () => {
        const of = { algorithm_id: algorithm, version_id: second };
        expect(await called(undefined, of)).to.deep.equal([['2026-11-21T00:00:00.000Z', 2, 0]]);
        expect(await called(user, of)).to.deep.equal([['2026-11-21T00:00:00.000Z', 1, 0]]);
      });

      it('are of one status when it is named', async () => {
        const of = { algorithm_id: algorithm, status: 'failed' };
        expect(await called(undefined, of)).to.deep.equal([['2026-11-21T00:00:00.000Z', 0, 1]]);
      });

      it('are of one user when it is named', async () => {
        expect(await called(other)).to.deep.equal([['2026-11-21T00:00:00.000Z', 1, 0]]);
      });
    });

    it('refuse a version without its algorithm', async () => {
      const error = await seriesOf(undefined, { version_id: newId() }).catch((reason: unknown) => reason);
      expect(error).to.have.nested.property('extras.errors[0].pointer', '/query/version_id');
    });

    it('have every point, with zeros and nulls where nothing was called', async () => {
      const { points } = await seriesOf(newId(), { start_date: '2026-02-27', end_date: '2026-03-01' });
      const nothing = { success: 0, failed: 0, p50: null, p95: null, average: null };
      expect(points).to.deep.equal([
        { at: '2026-02-27T00:00:00.000Z', ...nothing },
        { at: '2026-02-28T00:00:00.000Z', ...nothing },
        { at: '2026-03-01T00:00:00.000Z', ...nothing },
      ]);
    });

    it('count the codes with which calls failed', async () => {
      const algorithm = newId();
      const failed = (time: string, error_code: CallRow['error_code']) =>
        recordAt(time, { algorithm_id: algorithm, status: error_code ? 'failed' : 'success', error_code });
      await store(stage, [
        failed('2026-11-21T05:00:00.000Z', 'upstream_timeout'),
        failed('2026-11-21T05:00:59.999Z', 'upstream_timeout'),
        failed('2026-11-21T05:01:00.000Z', 'upstream_error'),
        failed('2026-11-21T05:01:00.000Z', null),
      ]);
      for (const when of ['pending', 'folded']) {
        const minutes = { start_date: '2026-11-21T05:00:00Z', end_date: '2026-11-21T05:02:00Z' };
        const { points, total } = await seriesOf(undefined, {
          bucket: 'minute',
          algorithm_id: algorithm,
          ...minutes,
        });
        expect(
          points.map(({ errors }) => errors),
          when,
        ).to.deep.equal([{ upstream_timeout: 2 }, { upstream_error: 1 }, undefined]);
        expect(total.errors, when).to.deep.equal({ upstream_timeout: 2, upstream_error: 1 });
        await stage.runJob('invocation:fold-series');
      }
    });

    it('change at the full minute', async () => {
      const user = newId();
      await store(stage, [
        recordAt('2026-11-21T11:58:59.999Z', { user_id: user }),
        recordAt('2026-11-21T11:59:00.000Z', { user_id: user }),
      ]);
      const expected = [
        ['2026-11-21T11:58:00.000Z', 1, 0],
        ['2026-11-21T11:59:00.000Z', 1, 0],
      ];
      expect(await called(user, { bucket: 'minute' })).to.deep.equal(expected);
      await stage.runJob('invocation:fold-series');
      expect(await called(user, { bucket: 'minute' })).to.deep.equal(expected);
    });

    describe('tell who called most', () => {
      const [algorithm, busy, calm, old] = [newId(), newId(), newId(), newId()];
      const call = (user_id: string, time: string, fields: Partial<CallRow> = {}) =>
        recordAt(time, { user_id, algorithm_id: algorithm, response_time: 0.5, ...fields });
      const callers = async (query: Partial<SeriesQuery> = {}, limit = 10) => {
        const of = { bucket: 'hour', algorithm_id: algorithm, start_date: '2026-11-20', ...query } as const;
        const found = await stage.get(CALL_SERIES).callers(of, limit);
        return found.callers.map(({ userId, calls, successes, average }) => [
          userId,
          calls,
          successes,
          average,
        ]);
      };
      before(() =>
        store(stage, [
          call(busy, '2026-11-20T10:59:59.999Z'),
          call(busy, '2026-11-21T11:00:00.000Z', { version_id: 'v2', response_time: 1.5 }),
          call(busy, '2026-11-21T11:59:00.000Z', { status: 'failed', error_code: 'upstream_error' }),
          call(calm, '2026-11-21T11:59:00.000Z'),
          call(calm, '2026-11-20T23:00:00.000Z'),
          call(old, '2026-11-19T23:59:59.999Z'),
        ]),
      );

      for (const when of ['pending', 'folded']) {
        it(`in a time, while calls are ${when}`, async () => {
          expect(await callers()).to.deep.equal([
            [busy, 3, 2, 2.5 / 3],
            [calm, 2, 2, 0.5],
          ]);
          expect(await callers({}, 1)).to.have.length(1);
          expect(await callers({ start_date: '2026-11-20T11:00:00Z' })).to.deep.include([busy, 2, 1, 1]);
          const minutes = { bucket: 'minute', start_date: '2026-11-21T11:59:00Z' } as const;
          expect((await callers(minutes)).map(([, calls]) => calls)).to.deep.equal([1, 1]);
          expect(await callers({ bucket: 'day', start_date: '2026-11-19' })).to.have.length(3);
          expect(await callers({ version_id: 'v2' })).to.deep.equal([[busy, 1, 1, 1.5]]);
          const everybody = await stage.get(CALL_SERIES).callers({ bucket: 'day', ...TODAY }, 1000);
          expect(everybody.callers.find(({ userId }) => userId === busy)).to.include({ calls: 2 });
          await stage.runJob('invocation:fold-series');
        });
      }
    });

    it('tell who called most in a long time by short reads, between which others have their turn', async () => {
      const [algorithm, busy, calm] = [newId(), newId(), newId()];
      const call = (user_id: string, day: string) =>
        recordAt(`2026-11-${day}T05:00:00.000Z`, { user_id, algorithm_id: algorithm });
      await store(stage, [call(calm, '02'), call(busy, '02'), call(calm, '12')]);
      await stage.runJob('invocation:fold-series');
      await store(stage, [call(busy, '12'), call(busy, '21')]);
      const ears = overheard(database);
      const series = createCallSeries({ database: ears.database, clock });
      let turns = 0;
      let reading = true;
      const others = () => {
        turns += 1;
        if (reading) setImmediate(others);
      };
      setImmediate(others);
      const year = { bucket: 'day', algorithm_id: algorithm, start_date: '2025-11-22' } as const;
      const { callers } = await series.callers(year, 10);
      reading = false;
      expect(callers.map(({ userId, calls }) => [userId, calls])).to.deep.equal([
        [busy, 3],
        [calm, 2],
      ]);
      const lengths = ears.asked.map(({ values: [start, end] }) => (Number(end) - Number(start)) / DAY_MS);
      expect(Math.max(...lengths)).to.be.at.most(10);
      expect(lengths.reduce((sum, length) => sum + length, 0)).to.equal(365);
      expect(turns).to.be.at.least(lengths.length - 1);
    });

    it('lose minutes after 48 hours', async () => {
      const user = newId();
      const times = ['2026-11-21T10:00:59.999Z', '2026-11-21T10:01:00.000Z'];
      await store(
        stage,
        times.map((time) => recordAt(time, { user_id: user })),
      );
      await stage.runJob('invocation:fold-series');
      now = Date.parse('2026-11-23T10:01:30.000Z');
      await stage.runJob('invocation:old-points');
      const minutes = async (table: string) =>
        (
          await database
            .read<{ begins_at: number }>(
              `SELECT begins_at FROM ${table} WHERE user_id = ? AND bucket = 'minute' GROUP BY begins_at`,
            )
            .all(user)
        ).map(({ begins_at }) => begins_at);
      for (const table of ['invocation_user_series', CALLER_SERIES])
        expect(await minutes(table), table).to.deep.equal([Date.parse('2026-11-21T10:01:00.000Z')]);
      expect(await called(user, { ...TODAY, bucket: 'hour' })).to.deep.equal([
        ['2026-11-21T10:00:00.000Z', 2, 0],
      ]);
    });

    it('lose hours after 60 days and keep the days', async () => {
      const user = newId();
      await store(stage, [
        recordAt('2026-11-21T09:59:59.999Z', { user_id: user }),
        recordAt('2026-11-21T10:00:00.000Z', { user_id: user }),
      ]);
      await stage.runJob('invocation:fold-series');
      const hours = () =>
        database
          .read<{ begins_at: number }>(
            `SELECT begins_at FROM invocation_user_series WHERE user_id = ? AND bucket = 'hour' ORDER BY begins_at`,
          )
          .all(user);
      now = Date.parse('2026-11-21T10:59:59.999Z') + 60 * DAY_MS;
      await stage.runJob('invocation:old-points');
      expect(await hours()).to.deep.equal([{ begins_at: Date.parse('2026-11-21T10:00:00.000Z') }]);
      expect(await called(user, TODAY)).to.deep.equal([['2026-11-21T00:00:00.000Z', 2, 0]]);
    });

    const pendingRows = async (): Promise<number> =>
      (await database.read<{ rows: number }>(`SELECT COUNT(*) AS rows FROM ${PENDING_SERIES}`).first())!.rows;

    it('are the same before and after calls are folded', async () => {
      const [user, algorithm] = [newId(), newId()];
      const all = async () => [
        await seriesOf(user, TODAY),
        await seriesOf(user, { bucket: 'hour' }),
        await seriesOf(undefined, { algorithm_id: algorithm, version_id: 'v1' }),
        await seriesOf(undefined, { bucket: 'hour', algorithm_id: algorithm }),
        await seriesOf(undefined, TODAY),
        await seriesOf(user, { bucket: 'minute', start_date: '2026-11-21T05:00:00Z' }),
      ];
      const call = (time: string, fields: Partial<CallRow>) =>
        recordAt(time, { user_id: user, algorithm_id: algorithm, ...fields });
      await store(stage, [
        call('2026-11-21T05:00:00.000Z', {}),
        call('2026-11-21T05:59:59.999Z', {}),
        call('2026-11-21T06:00:00.000Z', { response_time: 3 }),
        call('2026-11-21T06:00:00.000Z', { status: 'failed', version_id: 'v2' }),
      ]);
      const before = await all();
      expect(before[0]!.points[0]).to.include({ success: 3, failed: 1 });
      expect(await pendingRows()).to.be.greaterThan(0);
      await stage.runJob('invocation:fold-series');
      expect(await pendingRows()).to.equal(0);
      expect(await all()).to.deep.equal(before);
      await store(stage, [call('2026-11-21T05:00:00.000Z', {})]);
      await stage.runJob('invocation:fold-series');
      expect((await seriesOf(user, TODAY)).points[0]).to.include({ success: 4, failed: 1 });
    });

    it('lose and double nothing while several processes store and fold', async () => {
      const [users, algorithm] = [[newId(), newId(), newId()], newId()];
      const { signal } = new AbortController();
      const deps = { database } as never;
      await Promise.all(
        users.map(async (user_id) => {
          for (let batch = 0; batch < 20; batch += 1) {
            const call = () => recordAt('2026-11-21T05:00:00.000Z', { user_id, algorithm_id: algorithm });
            await store(stage, [call(), call()]);
            await foldSeriesJob.run({ signal }, deps);
          }
        }),
      );
      expect(await pendingRows()).to.equal(0);
      for (const user of users)
        expect(await called(user)).to.deep.equal([['2026-11-21T00:00:00.000Z', 40, 0]]);
      const { points } = await seriesOf(undefined, { ...TODAY, algorithm_id: algorithm });
      expect(points[0]).to.include({ success: 120 });
    });

    describe('read roll-ups alone, from the first point to the last', () => {
      const algorithm = { algorithm_id: 'echo' };
      const questions: Readonly<Record<string, readonly [string | undefined, Partial<SeriesQuery>]>> = {
        'of a user': ['alice', {}],
        'of a user with an algorithm': ['alice', algorithm],
        'of all algorithms': [undefined, {}],
        'of an algorithm': [undefined, algorithm],
        'of a version': [undefined, { ...algorithm, version_id: 'v1' }],
        'of a status': [undefined, { ...algorithm, status: 'failed' }],
      };
      const asked = async (user: string | undefined, query: Partial<SeriesQuery>): Promise<Asked> => {
        const ears = overheard(database);
        await createCallSeries({ database: ears.database, clock }).of(user, { bucket: 'day', ...query });
        expect(ears.asked).to.have.length(1);
        return ears.asked[0]!;
      };
      before(async () => {
        for (let day = 1; day <= 21; day += 1) {
          const time = `2026-11-${String(day).padStart(2, '0')}T00:00:00.000Z`;
          const users = Array.from({ length: 100 }, (_, user) => (user === 0 ? 'alice' : `user-${user}`));
          await store(
            stage,
            users.map((user_id) =>
              recordAt(time, { user_id, algorithm_id: user_id === 'alice' ? 'echo' : user_id }),
            ),
          );
        }
        await stage.runJob('invocation:fold-series');
        if (engine === 'postgres') await database.knex.raw('ANALYZE');
      });

      for (const [name, [user, query]] of Object.entries(questions)) {
        it(name, async () => {
          const statement = await asked(user, query);
          const table = user === undefined ? 'invocation_algorithm_series' : 'invocation_user_series';
          if (engine === 'sqlite') {
            const lines = await planOnSqlite(database, statement);
            const owner = user === undefined ? 'algorithm_id' : 'user_id';
            expect(lines.filter((line) => line.includes('invocation_'))).to.deep.equal([
              `SEARCH ${table} USING PRIMARY KEY (${owner}=? AND bucket=? AND begins_at>? AND begins_at<?)`,
              `SCAN ${PENDING_SERIES}`,
            ]);
          } else {
            const plan = await database.transaction((trx) => planOn(trx, statement, 'generic'));
            expect([...plan.planned]).to.have.members([table, PENDING_SERIES]);
            // Only the series has an index.
            expect([...plan.kinds].some((kind) => kind.includes('Index'))).to.equal(true);
          }
        });
      }
    });
  });
});
