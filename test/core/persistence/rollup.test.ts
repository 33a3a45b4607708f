import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { defineRollup } from '../../../core/persistence/rollup.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { openAt, TestDatabase } from './support.ts';

const sales = defineRollup({
  table: 'shop_sales',
  key: { item: 'text', hour: 'integer' },
  sums: ['sold', 'cents'],
  latest: { sold_at: 'text' },
});

const shop = {
  id: 'shop',
  migrations: [{ name: '0001_sales', up: sales.createTable }],
};

describe('persistence: roll-ups', () => {
  onEveryEngine((engine) => {
    const test = new TestDatabase();
    before(() => test.open(engine, [shop]));
    after(() => test.close());
    afterEach(() => test.database.knex('shop_sales').delete());

    const sums = () =>
      test.database
        .read(
          `SELECT item, hour, SUM(sold) AS sold, SUM(cents) AS cents, MAX(sold_at) AS sold_at
           FROM shop_sales GROUP BY item, hour ORDER BY item, hour`,
        )
        .all();
    const shards = async () =>
      (await test.database.read<{ shard: number }>('SELECT DISTINCT shard FROM shop_sales').all()).map(
        ({ shard }) => shard,
      );

    it('adds up rows with the same key, of one batch and of several', async () => {
      const rollup = sales.writer(test.database);
      await test.database.write([
        rollup.append([
          ['lamp', 1, 1, 500, 'b'],
          ['lamp', 1, 2, 900, 'a'],
          ['desk', 1, 1, 7000, 'a'],
        ]),
      ]);
      await test.database.write([rollup.append([['lamp', 1, 1, 450, 'c']])]);
      expect(await sums()).to.deep.equal([
        { item: 'desk', hour: 1, sold: 1, cents: 7000, sold_at: 'a' },
        { item: 'lamp', hour: 1, sold: 4, cents: 1850, sold_at: 'c' },
      ]);
    });

    it('leaves one row of each key after a fold, with the same sums', async () => {
      const [one, other] = [sales.writer(test.database), sales.writer(test.database)];
      await test.database.write([one.append([['lamp', 1, 1, 500, 'b']])]);
      await test.database.write([other.append([['lamp', 1, 2, 900, 'a']])]);
      await sales.fold(test.database);
      await test.database.write([other.append([['lamp', 1, 1, 1, 'a']])]);
      await sales.fold(test.database);
      expect(await shards()).to.deep.equal([0]);
      expect(await sums()).to.deep.equal([{ item: 'lamp', hour: 1, sold: 4, cents: 1401, sold_at: 'b' }]);
    });

    it('loses and doubles nothing while several processes append and fold', async () => {
      const others = await Promise.all([openAt(test.url), openAt(test.url)]);
      const batches = engine === 'sqlite' ? 24 : 120;
      await Promise.all(
        others.map(async (database) => {
          const rollup = sales.writer(database);
          let isOver = false;
          const folding = (async () => {
            while (!isOver) {
              await sales.fold(database);
              await turn();
            }
          })();
          for (let batch = 0; batch < batches; batch += 1) {
            await database.write([
              rollup.append(['lamp', 'desk', 'rug'].map((item) => [item, batch % 4, 1, 10, 'a'])),
            ]);
          }
          isOver = true;
          await folding;
        }),
      );
      const rows = (await sums()) as { sold: number; cents: number }[];
      expect(rows).to.have.length(12);
      expect(rows.map(({ sold, cents }) => [sold, cents])).to.deep.equal(
        rows.map(() => [(others.length * batches) / 4, (others.length * batches * 10) / 4]),
      );
      await Promise.all(others.map((database) => database.close()));
    });
  });
});
