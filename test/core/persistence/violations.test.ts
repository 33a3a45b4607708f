import { expect } from 'chai';
import { UnfitDatabase, ConstraintViolation, UniqueViolation } from '../../../core/persistence/violations.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { failure, shop, TestDatabase } from './support.ts';

describe('persistence: a constraint that refuses', () => {
  onEveryEngine((engine) => {
    const test = new TestDatabase();
    before(() => test.open(engine, [shop]));
    after(() => test.close());
    beforeEach(() => test.database.knex('shop_items').insert({ id: 'a', name: 'lamp', owner: 'ann' }));
    afterEach(() => test.database.knex('shop_items').delete());

    const insert = (table: string, row: object): Promise<unknown> =>
      test.database.transaction((trx) => trx(table).insert(row));

    /** One of the kernel's, and not that of a key that exists. */
    const expectOther = (error: unknown): void => {
      expect(error).to.be.instanceOf(ConstraintViolation).and.not.instanceOf(UniqueViolation);
    };

    it('a primary key is a UniqueViolation that names table and column', async () => {
      const error = await failure(insert('shop_items', { id: 'a', name: 'chair' }));
      expect(error).to.be.instanceOf(UniqueViolation);
      expect(error).to.deep.include({ table: 'shop_items', columns: ['id'] });
    });

    it('a unique key of two columns names both', async () => {
      const error = await failure(insert('shop_items', { id: 'b', name: 'lamp', owner: 'ann' }));
      expect(error).to.be.instanceOf(UniqueViolation);
      expect(error).to.deep.include({ table: 'shop_items', columns: ['owner', 'name'] });
    });

    it('a missing value is a ConstraintViolation that names the column', async () => {
      const error = await failure(insert('shop_items', { id: 'b', name: null }));
      expectOther(error);
      expect(error).to.deep.include({ table: 'shop_items', columns: ['name'] });
    });

    it('a reference to nothing is a ConstraintViolation', async () => {
      const error = await failure(insert('shop_parts', { id: 'p', item_id: 'nothing' }));
      expectOther(error);
    });

    it('a broken condition is a ConstraintViolation that names the constraint', async () => {
      const error = await failure(insert('shop_items', { id: 'b', name: 'chair', sold: -1 }));
      expectOther(error);
      expect(error).to.include({ constraint: 'shop_items_sold' });
    });

    it('is the same outside of a transaction', async () => {
      const error = await failure(test.database.knex('shop_items').insert({ id: 'a', name: 'chair' }));
      expect(error).to.be.instanceOf(UniqueViolation);
    });

    it('and any other failure of a query reveal neither the statement nor its values', async () => {
      const knex = test.database.knex;
      const violated = await failure(knex('shop_items').insert({ id: 'a', name: 'my secret' }));
      const faulty = await failure(knex('no_such_table').insert({ name: 'my secret' }));
      expect(violated.message).to.not.match(/insert|secret/);
      expect(faulty.message)
        .to.include('no_such_table')
        .and.not.match(/insert|secret/);
    });

    for (const [what, sql] of [
      ['a table', 'SELECT * FROM no_such_table'],
      ['a column', 'INSERT INTO shop_items (id, colour) VALUES (1, 2)'],
      ['a key', "INSERT INTO shop_items (id, name) VALUES ('b', 'c') ON CONFLICT (sold) DO NOTHING"],
    ] as const) {
      it(`is distinguished from a database that lacks ${what}`, async () => {
        expect(await failure(test.database.knex.raw(sql))).to.be.instanceOf(UnfitDatabase);
        expect(await failure(test.database.write([], [{ sql, values: [] }]))).to.be.instanceOf(UnfitDatabase);
      });
    }

    it('is the same in a batch, of which nothing is written', async () => {
      const columns = { id: 'text', name: 'text' } as const;
      const error = await failure(
        test.database.write([
          { table: 'shop_items', columns, rows: [['b', 'chair']] },
          { table: 'shop_items', columns: { ...columns, sold: 'integer' }, rows: [['a', 'table', 1]] },
        ]),
      );
      expect(error).to.be.instanceOf(UniqueViolation);
      expect(await test.database.knex('shop_items').pluck('id')).to.deep.equal(['a']);
    });
  });
});
