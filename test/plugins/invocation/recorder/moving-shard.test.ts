import { expect } from 'chai';
import { DATABASE, LOGGER, type Database } from '../../../../core/index.ts';
import { builtInPlugins, onEveryEngine, startTestKernel, type TestKernel } from '../../../../core/testing.ts';
import { finishedOf } from '../../../../plugins/invocation/recording/call-row.ts';
import { totalsCompanion } from '../../../../plugins/invocation/rollups/call-totals.ts';
import { MovingShard } from '../../../../plugins/invocation/recording/moving-shard.ts';
import { until } from '../../../support/until.ts';
import { callRow } from '../support/rows.ts';

/** Some twenty versions of a row fill what a page has for them. */
const BATCHES = 2000;

describe('The shard that calls are counted in', () => {
  onEveryEngine((engine) => {
    let kernel: TestKernel;
    let database: Database;
    let shard: MovingShard;
    const first = engine === 'postgres' ? 1 : 0;

    before(async () => {
      const plugins = await builtInPlugins(['users', 'catalogue', 'permissions', 'invocation']);
      kernel = await startTestKernel({ engine, plugins });
      database = kernel.get(DATABASE);
      shard = new MovingShard({ database, worker: { lane: 5 }, logger: kernel.get(LOGGER) });
    });

    after(() => kernel.stop());

    async function count(batches: number): Promise<void> {
      const totals = totalsCompanion(shard);
      for (let n = 0; n < batches; n += 1) await database.write(totals.rowsFor([finishedOf(callRow())]));
    }

    function countedIn(): Promise<readonly { shard: number; calls: number }[]> {
      const read = database.read<{ shard: number; calls: number }>(
        `SELECT shard, calls FROM invocation_algorithm_totals
         WHERE algorithm_id = '' AND day = '' AND status = 'success' ORDER BY shard`,
      );
      return read.all();
    }

    it('stays, as long as nobody holds a snapshot', async () => {
      await shard.look();
      await count(BATCHES);
      await until(async () => {
        await shard.look();
        return shard.current === first;
      });
      expect(await countedIn()).to.deep.equal([{ shard: first, calls: BATCHES }]);
    });

    if (engine !== 'postgres') return;

    it('is another one while somebody does, and the same again afterwards', async () => {
      const snapshot = await database.knex.transaction(undefined, { isolationLevel: 'repeatable read' });
      try {
        await snapshot.raw('SELECT count(*) FROM invocation_algorithm_totals');
        await count(BATCHES);
        await shard.look();
        expect(shard.current).to.equal(first + 4);
        await count(1);
        expect(await countedIn()).to.deep.equal([
          { shard: first, calls: 2 * BATCHES },
          { shard: first + 4, calls: 1 },
        ]);
        await shard.look();
        expect(shard.current, 'the fresh row has few versions, the former one still many').to.equal(
          first + 4,
        );
      } finally {
        await snapshot.rollback();
      }
      await until(async () => {
        await shard.look();
        return shard.current === first;
      });
    });
  });
});
