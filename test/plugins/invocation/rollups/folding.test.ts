import { expect } from 'chai';
import { contribute, DATABASE, definePlugin, defineRollup } from '../../../../core/index.ts';
import { ROLLUPS } from '../../../../plugins/invocation/contract.ts';
import { startStage } from '../support/stage.ts';

const visits = defineRollup({ table: 'shop_visits', key: { day: 'text' }, sums: ['visits'] });
const lost = defineRollup({ table: 'shop_without_table', key: { day: 'text' }, sums: ['visits'] });

const shop = definePlugin({
  id: 'shop',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Counts visits',
  requires: ['invocation'],
  migrations: [{ name: '0001_visits', up: (trx, engine) => visits.createTable(trx, engine) }],
  contributes: [lost, visits].map((rollup) => contribute(ROLLUPS, { deps: {}, create: () => rollup })),
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
});
