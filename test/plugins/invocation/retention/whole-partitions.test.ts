import { expect } from 'chai';
import { DATABASE } from '../../../../core/index.ts';
import type { CallRow } from '../../../../plugins/invocation/recording/call-row.ts';
import { CALL_LOG, CALL_STATISTICS } from '../../../../plugins/invocation/contract.ts';
import { RETENTION } from '../../../../plugins/invocation/retention/retention.ts';
import { NOW, startHalfAYear, times } from '../support/half-a-year.ts';
import { clockAt, partitionNames, placeOf } from '../support/months.ts';
import { recordAt, store, storeWhile } from '../support/records.ts';
import type { Stage } from '../support/stage.ts';

const everything = { skip: 0, limit: 1000 };

describe('Retention by age on PostgreSQL', () => {
  const clock = clockAt(NOW);
  let stage: Stage;
  let rows: readonly CallRow[];

  async function halfAYear(settings: Readonly<Record<string, number>>): Promise<Stage> {
    const made = await startHalfAYear(clock, settings);
    rows = made.rows;
    return made.stage;
  }

  /** How many records batches delete from now on. */
  function deletionsIn({ get }: Stage): () => number {
    const database = get(DATABASE);
    const write = database.write.bind(database);
    let deleted = 0;
    database.write = async (batch, changes = []) => {
      const ids = changes.find(({ sql }) => sql.startsWith('DELETE'))?.values[0];
      if (ids !== undefined) deleted += (JSON.parse(String(ids)) as string[]).length;
      await write(batch, changes);
    };
    return () => deleted;
  }

  async function expectExact(kept: readonly CallRow[]): Promise<void> {
    const log = stage.get(CALL_LOG);
    const listed = await log.list({}, everything);
    expect(listed.map(({ id }) => id)).to.deep.equal(kept.map(({ id }) => id).toReversed());
    for (const filter of [{}, { userId: 'bob' }, { status: 'success' }, { from: times[0]! }]) {
      const count = (await log.list(filter, everything)).length;
      expect(await log.count(filter), JSON.stringify(filter)).to.equal(count);
    }
  }

  afterEach(() => stage.stop());

  it('drops the months that are too old as a whole, and deletes the rest of the next', async () => {
    stage = await halfAYear({ keep_records_days: 60 });
    const deleted = deletionsIn(stage);
    const kept = rows.filter(({ created_at }) => created_at >= Date.parse(NOW) - 60 * 86_400_000);
    expect(await stage.get(RETENTION).run()).to.deep.equal({
      records: rows.length - kept.length,
      payloads: 0,
    });
    expect((await partitionNames(stage)).slice(0, 3)).to.deep.equal(['first', '2025_04', '2025_05']);
    const ofApril = rows.filter(({ created_at }) => created_at >= Date.UTC(2025, 3)).length - kept.length;
    expect(deleted()).to.equal(ofApril);
    await expectExact(kept);
  });

  it('deletes nothing where months end with what is too old', async () => {
    stage = await halfAYear({ keep_records_days: 76 });
    const deleted = deletionsIn(stage);
    await stage.get(RETENTION).run();
    expect(deleted()).to.equal(0);
    await expectExact(rows.filter(({ created_at }) => created_at >= Date.UTC(2025, 3)));
  });

  it('continues from there, and has a partition for records that arrive late', async () => {
    stage = await halfAYear({ keep_records_days: 60 });
    await stage.get(RETENTION).run();
    const late = recordAt('2025-02-11T00:00:00Z');
    await store(stage, [late]);
    expect(await placeOf(stage, late.id)).to.equal('first');
    expect(await stage.get(RETENTION).run()).to.deep.equal({ records: 1, payloads: 0 });
    clock.set('2025-08-10T00:00:00Z');
    const deleted = deletionsIn(stage);
    await stage.get(RETENTION).run();
    const kept = rows.filter(({ created_at }) => created_at >= Date.UTC(2025, 5, 11));
    expect((await partitionNames(stage)).slice(0, 3)).to.deep.equal(['first', '2025_06', '2025_07']);
    expect(deleted()).to.equal(20);
    await expectExact(kept);
  });

  it('does not change statistics', async () => {
    stage = await halfAYear({ keep_records_days: 60, keep_payloads_days: 20 });
    const figures = stage.get(CALL_STATISTICS);
    const before = [await figures.totals({}), await figures.between({}, '2025-01-01', '2025-02-28')];
    expect((await stage.get(RETENTION).run()).payloads).to.equal(80);
    expect([await figures.totals({}), await figures.between({}, '2025-01-01', '2025-02-28')]).to.deep.equal(
      before,
    );
    expect(before[0]!.total_calls).to.equal(rows.length);
  });

  it('drops the partitions of months that it emptied by count', async () => {
    stage = await halfAYear({ keep_records_count: 50 });
    await stage.get(RETENTION).run();
    await stage.get(RETENTION).run();
    const names = await partitionNames(stage);
    expect(names.slice(0, 3)).to.deep.equal(['first', '2025_05', '2025_06']);
    await expectExact(rows.slice(-50));
    const late = recordAt('2025-02-11T00:00:00Z');
    await store(stage, [late]);
    expect(await stage.get(RETENTION).run()).to.deep.equal({ records: 1, payloads: 0 });
  });

  it('deletes in batches during a long read, beside calls', async function () {
    this.timeout(60_000);
    stage = await halfAYear({ keep_records_days: 60 });
    const deleted = deletionsIn(stage);
    const reader = await stage.get(DATABASE).knex.transaction();
    await reader.raw('SELECT 1 FROM invocation_calls LIMIT 1');
    let isDone = false;
    const run = stage
      .get(RETENTION)
      .run()
      .finally(() => (isDone = true));
    // None waits until the read is over.
    const stored = (await storeWhile(stage, NOW, () => !isDone)).length;
    await reader.rollback();
    const kept = rows.filter(({ created_at }) => created_at >= Date.parse(NOW) - 60 * 86_400_000);
    expect(await run).to.deep.equal({ records: rows.length - kept.length, payloads: 0 });
    expect(deleted()).to.equal(rows.length - kept.length);
    expect(await partitionNames(stage)).to.include('2025_02');
    expect(await stage.get(CALL_LOG).count({})).to.equal(kept.length + stored);
  });

  it('drops while calls go on', async function () {
    this.timeout(60_000);
    stage = await halfAYear({ keep_records_days: 60 });
    let isDone = false;
    const run = stage
      .get(RETENTION)
      .run()
      .finally(() => (isDone = true));
    await storeWhile(stage, NOW, (stored) => !isDone || stored < 20);
    await run;
    expect(await partitionNames(stage)).not.to.include('2025_02');
  });

  it('counts or keeps a record that arrives while its month is dropped', async function () {
    this.timeout(60_000);
    stage = await halfAYear({ keep_records_days: 60 });
    const late = (async () => {
      for (let n = 0; n < 30; n += 1) await store(stage, [recordAt('2025-02-20T00:00:00Z')]);
    })();
    await Promise.all([late, stage.get(RETENTION).run()]);
    await stage.get(RETENTION).run();
    const kept = rows.filter(({ created_at }) => created_at >= Date.parse(NOW) - 60 * 86_400_000);
    await expectExact(kept);
  });
});
