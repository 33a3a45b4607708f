import { expect } from 'chai';
import { contribute, DATABASE, definePlugin, defineRollup } from '../../../../core/index.ts';
import { defineTimeRollup, ROLLUPS } from '../../../../plugins/invocation/contract.ts';
import { startStage } from '../support/stage.ts';

const visits = defineRollup({ table: 'shop_visits', key: { day: 'text' }, sums: ['visits'] });
const lost = defineRollup({ table: 'shop_without_table', key: { day: 'text' }, sums: ['visits'] });

const hours = defineTimeRollup({ table: 'shop_hours', key: {}, sums: ['visits'] });
const lostHours = defineTimeRollup({ table: 'shop_hours_without_table', key: {}, sums: ['visits'] });

const shop = definePlugin({
  id: 'shop',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Counts visits',
  requires: ['invocation'],
  migrations: [
    {
      name: '0001_visits',
      up: async (trx, engine) => {
        await visits.createTable(trx, engine);
        await hours.createTable(trx, engine);
      },
    },
  ],
  contributes: [lost, visits, lostHours, hours].map((rollup) =>
    contribute(ROLLUPS, { deps: {}, create: () => rollup }),
  ),
});

describe('The roll-ups of other plugins', () => {
  it('are folded, also where one before them cannot be, which is the fault of the job', async () => {
    const stage = await startStage('postgres', undefined, { plugins: [shop] });
    try {
      const database = stage.get(DATABASE);
      for (const writer of [visits.writer(database), visits.writer(database)])
        await database.write([writer.append([['2026-01-31', 2]])]);
      const fault = await stage.runJob('invocation:fold-totals').catch((error: unknown) => error);
      expect(String(fault)).to.contain('shop_without_table');
      const rows: unknown = await database.knex('shop_visits').select('shard', 'visits');
      expect(rows).to.deep.equal([{ shard: 0, visits: 4 }]);
    } finally {
      await stage.stop();
    }
  });

  it('lose their old points, also where those before them cannot, which is the fault of the job', async () => {
    const stage = await startStage('postgres', undefined, { plugins: [shop] });
    try {
      const database = stage.get(DATABASE);
      await database.write([hours.writer(database).append([['hour', 0, 2]])]);
      const fault = await stage.runJob('invocation:old-points').catch((error: unknown) => error);
      expect(String(fault)).to.contain('shop_hours_without_table');
      expect(await database.knex('shop_hours').select('visits')).to.deep.equal([]);
    } finally {
      await stage.stop();
    }
  });
});
