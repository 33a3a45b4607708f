import { expect } from 'chai';
import { DATABASE, type Database } from '../../../../../core/index.ts';
import { onEveryEngine, systemClock } from '../../../../../core/testing.ts';
import { defineTimeRollup } from '../../../../../plugins/invocation/contract.ts';
import { deleteOldPoints } from '../../../../../plugins/invocation/rollups/series/old-points.ts';
import { createTimeRollups } from '../../../../../plugins/invocation/rollups/series/time-rollups.ts';
import { overheard, planOnSqlite } from '../../support/plans.ts';
import { startStage, type Stage } from '../../support/stage.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

describe('Roll-ups over time', () => {
  onEveryEngine((engine) => {
    const rollup = defineTimeRollup({ table: 'test_visits', key: { place: 'text' }, sums: ['visits'] });
    let stage: Stage;
    let database: Database;
    before(async () => {
      stage = await startStage(engine);
      database = stage.get(DATABASE);
      await database.transaction((trx) => rollup.createTable(trx, engine));
    });
    after(() => stage.stop());

    it('lose old points one at a time, which indexes find', async () => {
      const ears = overheard(database);
      const changes: NonNullable<Parameters<Database['write']>[1]>[] = [];
      const write: Database['write'] = (inserts, changed = []) => {
        if (changed.length > 0) changes.push([...changed]);
        return database.write(inserts, changed);
      };
      let now = NOON;
      const clock = { ...systemClock, now: () => now };
      const visits = createTimeRollups({ database, clock }).keep(rollup);
      const deleteOld = (signal: AbortSignal) =>
        deleteOldPoints({ ...ears.database, write }, clock, rollup.table, signal);
      const times = [NOON - 2 * MINUTE, NOON - MINUTE, NOON];
      await database.write([visits.append(times.map((time) => [time, 'here', 1] as const))]);
      const left = async (): Promise<string[]> => {
        const rows = await database
          .read<{ bucket: string }>('SELECT bucket FROM test_visits ORDER BY bucket, begins_at')
          .all();
        return rows.map(({ bucket }) => bucket);
      };
      expect(await left()).to.deep.equal(['day', 'hour', 'hour', 'minute', 'minute', 'minute']);
      now = NOON + 2 * DAY;
      await deleteOld(AbortSignal.abort());
      expect(await left()).to.have.length(6);
      await deleteOld(new AbortController().signal);
      expect(await left()).to.deep.equal(['day', 'hour', 'hour', 'minute']);
      expect(changes.map((one) => one.map(({ values }) => values))).to.deep.equal([
        [[NOON - 2 * MINUTE]],
        [[NOON - MINUTE]],
      ]);
      now = NOON + 60 * DAY;
      await deleteOld(new AbortController().signal);
      expect(await left()).to.deep.equal(['day', 'hour']);
      if (engine !== 'sqlite') return;
      for (const asked of [...ears.asked, ...changes.flat()]) {
        const [line] = await planOnSqlite(database, asked);
        expect(line, asked.sql).to.match(/^SEARCH test_visits USING .*INDEX test_visits_(minute|hour)s/);
      }
    });
  });
});
