import { expect } from 'chai';
import { Model } from '../../../core/persistence/model.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { failure, shop, TestDatabase } from './support.ts';

class Item extends Model {
  static override tableName = 'shop_items';
  static override booleans = ['listed'];
  static override json = ['details'];
  declare id: string;
  declare name: string;
  declare sold: number;
  declare price: number | null;
  declare listed: boolean;
  declare details: unknown;
}

describe('persistence: values are the same on both engines', () => {
  onEveryEngine((engine) => {
    const test = new TestDatabase();
    before(() => test.open(engine, [shop]));
    after(() => test.close());
    afterEach(() => test.database.knex('shop_items').delete());

    const insert = (item: Partial<Item>) =>
      test.database.transaction(
        async (trx) => await Item.query(trx).insert({ id: 'a', name: 'lamp', ...item }),
      );
    const found = () => Item.query(test.database.knex).findById('a').throwIfNotFound();

    it('gives booleans of a model back as booleans', async () => {
      await insert({ listed: true });
      expect((await found()).listed).to.equal(true);
    });

    it('gives JSON of a model back as it was, with NUL and half surrogates inside', async () => {
      const details = { colours: ['red', null], nested: { text: 'a\0b\ud800c', number: 1.5 } };
      await insert({ details });
      expect((await found()).details).to.deep.equal(details);
    });

    it('keeps null apart from JSON', async () => {
      await insert({ details: null });
      expect((await found()).details).to.equal(null);
    });

    it('gives integers of 53 bits back as numbers', async () => {
      await insert({ sold: Number.MAX_SAFE_INTEGER });
      expect((await found()).sold).to.equal(Number.MAX_SAFE_INTEGER);
    });

    it('counts and sums as numbers', async () => {
      await insert({ sold: 40 });
      await insert({ id: 'b', name: 'chair', sold: 2 });
      const row = await test.database
        .knex('shop_items')
        .count('* as rows')
        .sum('sold as sold')
        .first<{ rows: number; sold: number }>();
      expect(row).to.deep.equal({ rows: 2, sold: 42 });
    });

    it('reads prepared rows alike: booleans are 0 and 1', async () => {
      await insert({ listed: true, sold: 7, price: 0.1 });
      const read = test.database.read(
        'SELECT id, listed, sold, price, details FROM shop_items WHERE listed = ?',
      );
      expect(await read.first(1)).to.deep.equal({ id: 'a', listed: 1, sold: 7, price: 0.1, details: null });
    });

    it('leaves question marks in quoted text of a prepared read alone', async () => {
      await insert({ name: 'why?' });
      const read = test.database.read<{ id: string }>(
        "SELECT id FROM shop_items WHERE name = 'why?' AND id = ?",
      );
      expect(await read.first('a')).to.deep.equal({ id: 'a' });
    });

    it('answers undefined where a prepared read finds nothing', async () => {
      expect(await test.database.read('SELECT id FROM shop_items WHERE id = ?').first('x')).to.equal(
        undefined,
      );
    });

    for (const [what, text] of [
      ['NUL', 'a\0b'],
      ['half a surrogate pair', 'a\ud800'],
    ] as const) {
      it(`refuses ${what} in a text column with 422`, async () => {
        const error = await failure(insert({ name: text }));
        expect(error).to.include({ status: 422, code: 'validation_failed' });
      });

      it(`refuses ${what} in a condition with 422`, async () => {
        const error = await failure(test.database.knex('shop_items').where({ name: text }));
        expect(error).to.include({ status: 422 });
      });
    }
  });
});
