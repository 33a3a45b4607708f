import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { Model } from '../../../core/persistence/model.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { failure, openAt, shop, TestDatabase } from './support.ts';

const item = (id: string) => ({ id, name: `item ${id}` });

class Item extends Model {
  static override tableName = 'shop_items';
}

describe('persistence: transactions', () => {
  onEveryEngine((engine) => {
    const test = new TestDatabase();
    before(() => test.open(engine, [shop]));
    after(() => test.close());
    afterEach(() => test.database.knex('shop_items').delete());

    const ids = (): Promise<string[]> => test.database.knex('shop_items').orderBy('id').pluck('id');

    it('commits what the work did and answers what it returned', async () => {
      const answer = await test.database.transaction(async (trx) => {
        await trx('shop_items').insert(item('a'));
        return 'done';
      });
      expect(answer).to.equal('done');
      expect(await ids()).to.deep.equal(['a']);
    });

    it('takes a query for the work', async () => {
      await test.database.knex('shop_items').insert([item('a'), item('b')]);
      expect(await test.database.transaction((trx) => Item.query(trx).delete().where({ id: 'a' }))).to.equal(
        1,
      );
      expect(await test.database.transaction((trx) => trx('shop_items').pluck('id'))).to.deep.equal(['b']);
    });

    it('rolls all of it back when the work throws, and throws the same', async () => {
      const fault = new Error('on purpose');
      const work = test.database.transaction(async (trx) => {
        await trx('shop_items').insert(item('a'));
        throw fault;
      });
      expect(await failure(work)).to.equal(fault);
      expect(await ids()).to.deep.equal([]);
    });

    it('lets those that read first and write later run at the same time without losing a change', async () => {
      await test.database.knex('shop_items').insert({ ...item('a'), sold: 0 });
      const sell = () =>
        test.database.transaction(async (trx) => {
          const row = await trx('shop_items').where({ id: 'a' }).forUpdate().first<{ sold: number }>();
          await pause(2);
          await trx('shop_items')
            .where({ id: 'a' })
            .update({ sold: row.sold + 1 });
        });
      await Promise.all(Array.from({ length: 8 }, sell));
      expect(await test.database.knex('shop_items').pluck('sold')).to.deep.equal([8]);
    });

    it('may write after it read, even when another process wanted to write in between', async () => {
      const other = await openAt(test.url);
      await other.write([]);
      let written: Promise<void> | undefined;
      await test.database.transaction(async (trx) => {
        await trx('shop_items').select();
        const columns = { id: 'text', name: 'text' } as const;
        written = other.write([{ table: 'shop_items', columns, rows: [['b', 'item b']] }]);
        await pause(100);
        await trx('shop_items').insert(item('a'));
      });
      await written;
      await other.close();
      expect(await ids()).to.deep.equal(['a', 'b']);
    });

    it('does not make prepared reads wait, which see what is committed', async () => {
      const read = test.database.read<{ id: string }>('SELECT id FROM shop_items');
      await test.database.transaction(async (trx) => {
        await trx('shop_items').insert(item('a'));
        expect(await read.all()).to.deep.equal([]);
      });
      expect(await read.all()).to.deep.equal([{ id: 'a' }]);
    });

    it('neither fails nor blocks a batch that is written while it is open', async () => {
      let written: Promise<void> | undefined;
      await test.database.transaction(async (trx) => {
        await trx('shop_items').insert(item('a'));
        written = test.database.write([
          { table: 'shop_items', columns: { id: 'text', name: 'text' }, rows: [['b', 'item b']] },
        ]);
        await pause(20);
      });
      await written;
      expect(await ids()).to.deep.equal(['a', 'b']);
    });

    it('answers 503 when another process keeps the table to itself', async () => {
      const other = await openAt(test.url);
      const mine = await openAt(test.url, { busyTimeoutMs: 100, statement_timeout_ms: 100 });
      try {
        await other.transaction(async (trx) => {
          if (engine === 'postgres') await trx.raw('LOCK TABLE shop_items');
          const error = await failure(mine.transaction((own) => own('shop_items').insert(item('a'))));
          expect(error).to.include({ status: 503, code: 'store_unavailable' });
        });
      } finally {
        await Promise.all([other.close(), mine.close()]);
      }
    });
  });
});
