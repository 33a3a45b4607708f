import { expect } from 'chai';
import { DATABASE, METRICS, type Engine } from '../../../../core/index.ts';
import { onEveryEngine } from '../../../../core/testing.ts';
import type { CallRow } from '../../../../plugins/invocation/recording/call-row.ts';
import { CALL_LOG, CALL_STATISTICS } from '../../../../plugins/invocation/contract.ts';
import { RETENTION } from '../../../../plugins/invocation/retention/retention.ts';
import { recordAt, store } from '../support/records.ts';
import { startStage, type Stage } from '../support/stage.ts';

const DAY = 86_400_000;
const now = Date.UTC(2026, 5, 20, 12);
const clock = { now: () => now, elapsed: () => performance.now() };

/** Sixty records, three a day: the newest is an hour old, the oldest almost twenty days. */
const rows: readonly CallRow[] = Array.from({ length: 60 }, (_, n) =>
  recordAt(new Date(now - 3_600_000 - (59 - n) * (DAY / 3)).toISOString(), {
    user_id: n % 2 === 0 ? 'alice' : 'bob',
    status: n % 5 === 0 ? 'failed' : 'success',
  }),
);

async function filled(engine: Engine, settings: Readonly<Record<string, number>>): Promise<Stage> {
  const stage = await startStage(engine, undefined, {
    clock,
    settings: { invocation: settings },
  });
  await store(stage, rows);
  return stage;
}

const idsOf = (calls: readonly { readonly id: string }[]) => calls.map(({ id }) => id);
const newest = (count: number) => idsOf(rows.slice(-count).reverse());
const everything = { skip: 0, limit: 1000 };

describe('Retention', () => {
  onEveryEngine((engine) => {
    let stage: Stage | undefined;
    afterEach(async () => {
      await stage?.stop();
      stage = undefined;
    });

    it('keeps everything by default', async () => {
      stage = await filled(engine, {});
      expect(await stage.get(RETENTION).run()).to.deep.equal({ records: 0, payloads: 0 });
      expect(await stage.get(CALL_LOG).list({}, everything)).to.have.length(60);
    });

    it('deletes the records that are too old, and no others', async () => {
      stage = await filled(engine, { keep_records_days: 5 });
      expect(await stage.get(RETENTION).run()).to.deep.equal({ records: 45, payloads: 0 });
      expect(idsOf(await stage.get(CALL_LOG).list({}, everything))).to.deep.equal(newest(15));
    });

    it('deletes the oldest of too many records', async () => {
      stage = await filled(engine, { keep_records_count: 22 });
      expect(await stage.get(RETENTION).run()).to.deep.equal({ records: 38, payloads: 0 });
      expect(idsOf(await stage.get(CALL_LOG).list({}, everything))).to.deep.equal(newest(22));
      await store(stage, [recordAt(new Date(now).toISOString())]);
      expect(await stage.get(RETENTION).run()).to.deep.equal({ records: 1, payloads: 0 });
    });

    it('ends after its present batch when it is aborted', async () => {
      stage = await filled(engine, { keep_records_count: 22 });
      expect(await stage.get(RETENTION).run(AbortSignal.abort())).to.deep.equal({ records: 0, payloads: 0 });
      expect(await stage.get(CALL_LOG).count({})).to.equal(60);
    });

    it('applies the narrower limit', async () => {
      stage = await filled(engine, { keep_records_count: 22, keep_records_days: 5 });
      expect((await stage.get(RETENTION).run()).records).to.equal(45);
    });

    it('deletes payloads by age and keeps the record', async () => {
      stage = await filled(engine, { keep_payloads_days: 5 });
      expect(await stage.get(RETENTION).run()).to.deep.equal({ records: 0, payloads: 45 });
      const [old, young] = [await stage.get(CALL_LOG).find(rows[44]!.id), rows[45]!.id];
      expect(old).to.include({ user_id: 'alice', status: 'success', response_time: 0.25 });
      expect(old).to.deep.include({
        input_data: null,
        params: null,
        output_data: null,
        payload: { input_data: 'expired', params: 'expired', output_data: 'expired' },
      });
      const kept = await stage.get(CALL_LOG).find(young);
      expect(kept).to.deep.include({ input_data: { n: 1 }, output_data: { n: 2 } });
      expect(kept).not.to.have.property('payload');
    });

    it('deletes payloads by count, while it deletes records', async () => {
      stage = await filled(engine, {
        keep_records_count: 40,
        keep_payloads_count: 10,
      });
      expect(await stage.get(RETENTION).run()).to.deep.equal({ records: 20, payloads: 30 });
      const left = await stage.get(CALL_LOG).list({}, everything);
      expect(left.filter(({ payload }) => payload === undefined)).to.have.length(10);
      expect(await stage.get(RETENTION).run()).to.deep.equal({ records: 0, payloads: 0 });
    });

    describe('by count, of payloads of records that come late', () => {
      const count = 10;
      const withPayload = async (): Promise<string[]> => {
        const all = await stage!.get(CALL_LOG).list({}, everything);
        return idsOf(all.filter(({ payload }) => payload === undefined)).toReversed();
      };
      const storeAt = async (times: readonly number[]): Promise<string[]> => {
        const calls = times.map((time) => recordAt(new Date(time).toISOString()));
        await store(stage!, calls);
        return idsOf(calls);
      };
      const agesBefore = (time: number, n: number) => Array.from({ length: n }, (_, i) => time - n + i);

      it('keeps the right number, however many arrived below the mark', async () => {
        stage = await filled(engine, { keep_payloads_count: count });
        expect((await stage.get(RETENTION).run()).payloads).to.equal(50);
        const late = await storeAt(agesBefore(now - 10 * DAY, 2 * count));
        const young = await storeAt([now - 1_800_000, now - 1_700_000]);
        expect((await stage.get(RETENTION).run()).payloads).to.equal(2);
        expect(await withPayload()).to.deep.equal([...late, ...idsOf(rows.slice(-8)), ...young]);
        expect((await stage.get(RETENTION).run()).payloads).to.equal(0);
      });

      it('continues from a mark that is too far ahead', async () => {
        stage = await filled(engine, { keep_payloads_count: count });
        await stage.get(DATABASE).write(
          [],
          [
            {
              sql: `UPDATE invocation_retention SET horizon = ? WHERE name = 'payloads'`,
              values: [rows[39]!.id],
            },
          ],
        );
        expect((await stage.get(RETENTION).run()).payloads).to.equal(10);
        expect((await withPayload()).slice(-count)).to.deep.equal(idsOf(rows.slice(-count)));
      });

      it('expires those of calls that were in flight when newer ones expired', async () => {
        stage = await filled(engine, { keep_payloads_count: count });
        const young = await storeAt(agesBefore(now, 3 * count));
        expect((await stage.get(RETENTION).run()).payloads).to.equal(80);
        await storeAt(agesBefore(now - 30_000, 3));
        const newer = await storeAt([now]);
        expect((await stage.get(RETENTION).run()).payloads).to.equal(4);
        expect((await stage.get(RETENTION).run()).payloads).to.equal(0);
        expect(await withPayload()).to.deep.equal([...young.slice(1 - count), ...newer]);
      });

      it('expires those of calls of a clock that was set back', async () => {
        stage = await filled(engine, { keep_payloads_count: count });
        const ahead = await storeAt(agesBefore(now + DAY, 2 * count));
        expect((await stage.get(RETENTION).run()).payloads).to.equal(70);
        await storeAt([now]);
        expect((await stage.get(RETENTION).run()).payloads).to.equal(1);
        expect(await withPayload()).to.deep.equal(ahead.slice(-count));
      });
    });

    it('does not change statistics', async () => {
      stage = await filled(engine, { keep_records_days: 5, keep_payloads_count: 1 });
      const figures = stage.get(CALL_STATISTICS);
      const before = [await figures.totals({}), await figures.totals({ userId: 'bob' })];
      await stage.get(RETENTION).run();
      expect([await figures.totals({}), await figures.totals({ userId: 'bob' })]).to.deep.equal(before);
      expect(before[0]!.total_calls).to.equal(60);
    });

    it('counts in a list the records that still exist', async () => {
      stage = await filled(engine, { keep_records_count: 22 });
      await stage.get(RETENTION).run();
      const log = stage.get(CALL_LOG);
      const filters = [
        {},
        { userId: 'bob' },
        { status: 'failed' },
        { status: 'success' },
        { from: now - 30 * DAY },
        { userId: 'bob', until: now - 0.2 * DAY },
        { status: 'success', until: now - 0.2 * DAY },
      ];
      for (const filter of filters) {
        const listed = await log.list(filter, everything);
        expect(await log.count(filter), JSON.stringify(filter)).to.equal(listed.length);
      }
      expect(await log.count({ until: now - 15 * DAY })).to.equal(0);
    });

    it('limits the rows of a batch, more so when they are large', async () => {
      stage = await filled(engine, { keep_records_count: 1 });
      const large = JSON.stringify({ text: 'x'.repeat(3_000_000) });
      const big = [1, 2].map((n) =>
        recordAt(new Date(now - 40 * DAY + n).toISOString(), { input_data: large }),
      );
      await store(stage, big);
      const many = Array.from({ length: 400 }, (_, n) =>
        recordAt(new Date(now - 30 * DAY + n).toISOString()),
      );
      await store(stage, many);
      const database = stage.get(DATABASE);
      const batches: number[] = [];
      const write = database.write.bind(database);
      database.write = async (batch, changes = []) => {
        const ids = changes.find(({ sql }) => sql.startsWith('DELETE'))?.values[0];
        if (ids !== undefined) batches.push((JSON.parse(String(ids)) as string[]).length);
        await write(batch, changes);
      };
      await stage.get(RETENTION).run();
      expect(batches).to.deep.equal([1, 200, 200, 60]);
    });

    it('counts in a metric how much was deleted', async () => {
      stage = await filled(engine, { keep_records_count: 40, keep_payloads_count: 10 });
      await stage.get(RETENTION).run();
      const { text } = await stage.get(METRICS).expose();
      expect(text).to.match(/retention_rows_deleted_total\{kind="records"[^}]*\} 20\n/);
      expect(text).to.match(/retention_rows_deleted_total\{kind="payloads"[^}]*\} 30\n/);
    });
  });
});
