import { expect } from 'chai';
import type { BatchInsert, SqlValue } from '../../../core/persistence/database.ts';
import { ConstraintViolation } from '../../../core/persistence/violations.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { failure, openAt, shop, TestDatabase } from './support.ts';

const columns = { id: 'text', name: 'text', sold: 'integer', price: 'real', listed: 'boolean' } as const;
const items = (
  rows: readonly (readonly SqlValue[])[],
  onConflict?: BatchInsert['onConflict'],
): BatchInsert => ({
  table: 'shop_items',
  columns,
  rows,
  ...(onConflict ? { onConflict } : {}),
});

describe('persistence: batches', () => {
  onEveryEngine((engine) => {
    const test = new TestDatabase();
    before(() => test.open(engine, [shop]));
    after(() => test.close());
    afterEach(() => test.database.knex('shop_items').delete());

    const rows = () =>
      test.database.read('SELECT id, name, sold, price, listed FROM shop_items ORDER BY id').all();

    it('writes rows of several tables, to be read at once', async () => {
      await test.database.write([
        items([['a', 'lamp {"x",\\}', 1, 0.5, 1]]),
        { table: 'shop_parts', columns: { id: 'text', item_id: 'text' }, rows: [['p', 'a']] },
      ]);
      expect(await rows()).to.deep.equal([
        { id: 'a', name: 'lamp {"x",\\}', sold: 1, price: 0.5, listed: 1 },
      ]);
      expect(await test.database.read('SELECT * FROM shop_parts').all()).to.deep.equal([
        { id: 'p', item_id: 'a' },
      ]);
    });

    it('writes every text as it is, whatever it means in the statement of an engine', async () => {
      const texts = [
        '',
        'null',
        'NULL',
        'nullable',
        '{}',
        '{a,b}',
        '"',
        '\\',
        '\\"',
        ',',
        ' a ',
        '\n',
        '\t"\\\u001f',
        '\u007f"\u2028\\',
        '"😀\\',
        'ü',
        "'",
        '-1.5:x',
      ];
      const id = (index: number) => String.fromCharCode(97 + index);
      const all = texts.map((text, index) => [id(index), text, index, -1.5e-7, index % 2]);
      const written = texts.map((name, index) => ({
        id: id(index),
        name,
        sold: index,
        price: -1.5e-7,
        listed: index % 2,
      }));
      await test.database.write([items(all)]);
      expect(await rows()).to.deep.equal(written);
      await test.database.knex('shop_items').delete();
      for (const row of all) await test.database.write([items([row])]);
      expect(await rows()).to.deep.equal(written);
    });

    it('distinguishes batches for the same table with another conflict rule', async () => {
      const row: SqlValue[] = ['a', 'lamp', 1, 0.5, 0];
      const adds = { key: ['id'], add: ['sold'] };
      for (const rule of [
        adds,
        adds,
        { key: ['id'], add: ['sold'], set: ['price'] },
        { key: ['id'] },
        adds,
      ]) {
        await test.database.write([items([row], rule)]);
        row[3] = 2;
      }
      expect(await rows()).to.deep.equal([{ id: 'a', name: 'lamp', sold: 4, price: 2, listed: 0 }]);
    });

    it('adds to some columns and sets others where the key is there already', async () => {
      await test.database.write([items([['a', 'lamp', 1, 0.5, 0]])]);
      const rule = { key: ['id'], add: ['sold'], set: ['price'] };
      await test.database.write([
        items(
          [
            ['b', 'chair', 5, null, 0],
            ['a', 'other name', 2, 0.75, 0],
          ],
          rule,
        ),
      ]);
      expect(await rows()).to.deep.equal([
        { id: 'a', name: 'lamp', sold: 3, price: 0.75, listed: 0 },
        { id: 'b', name: 'chair', sold: 5, price: null, listed: 0 },
      ]);
    });

    it('changes and deletes after it has written, in the same transaction', async () => {
      await test.database.write(
        [
          items([
            ['a', "who's ?", 1, null, 0],
            ['b', 'chair', 5, null, 0],
          ]),
        ],
        [
          { sql: "UPDATE shop_items SET sold = sold + ?, name = '?' WHERE id = ?", values: [2, 'a'] },
          { sql: 'DELETE FROM shop_items WHERE id = ?', values: ['b'] },
        ],
      );
      expect(await rows()).to.deep.equal([{ id: 'a', name: '?', sold: 3, price: null, listed: 0 }]);
    });

    it('writes nothing when a change fails', async () => {
      const broken = { sql: 'DELETE FROM shop_items WHERE nothing = ?', values: ['b'] };
      await failure(test.database.write([items([['a', 'lamp', 1, null, 0]])], [broken]));
      expect(await rows()).to.deep.equal([]);
    });

    it('leaves a row that is there as it is when the rule names no columns', async () => {
      await test.database.write([items([['a', 'lamp', 1, null, 0]])]);
      await test.database.write([items([['a', 'other', 9, null, 0]], { key: ['id'] })]);
      expect(await rows()).to.deep.equal([{ id: 'a', name: 'lamp', sold: 1, price: null, listed: 0 }]);
    });

    it('writes to one table twice, one after the other', async () => {
      const rule = { key: ['id'], add: ['sold'] };
      const row = (sold: number): SqlValue[] => ['a', 'lamp', sold, null, 0];
      await test.database.write([items([row(1)], rule), items([row(2)], rule)]);
      expect(await rows()).to.deep.equal([{ id: 'a', name: 'lamp', sold: 3, price: null, listed: 0 }]);
    });

    it('takes a batch without rows', async () => {
      await test.database.write([items([])]);
      expect(await rows()).to.deep.equal([]);
    });

    it('adds up exactly when many batches with the same keys arrive from two instances', async () => {
      // Each waits for the batches of both, on a disk that may be slow.
      const instances = await Promise.all([1, 2].map(() => openAt(test.url, { busyTimeoutMs: 30_000 })));
      const rule = { key: ['id'], add: ['sold'] };
      // Names of their own: the rule is for ids, and two batches that race with the same names would break the other key.
      const forth = (batch: number) =>
        Array.from({ length: 10 }, (_, n) => [`k${n}`, `item ${n} of ${batch}`, 1, null, 0]);
      const batches = Array.from({ length: 40 }, (_, n) =>
        instances[n % 2]!.write([items(n % 3 ? forth(n) : forth(n).toReversed(), rule)]),
      );
      try {
        await Promise.all(batches);
      } finally {
        await Promise.all(instances.map((instance) => instance.close()));
      }
      expect((await rows()) as unknown).to.satisfy((all: { sold: number }[]) =>
        all.every(({ sold }) => sold === 40),
      );
    });

    for (const [what, count] of [
      ['few rows', 1],
      ['many rows', 20],
    ] as const) {
      const good = Array.from({ length: count }, (_, n) => [`k${n}`, `lamp ${n}`, 0, null, 0]);

      it(`refuses NUL with 422 and writes nothing of ${what}`, async () => {
        const error = await failure(test.database.write([items([...good, ['b', 'a\0b', 1, null, 0]])]));
        expect(error).to.include({ status: 422 });
        expect(await rows()).to.deep.equal([]);
      });

      it(`writes nothing to any table when one refuses ${what}`, async () => {
        const parts = { table: 'shop_parts', columns: { id: 'text', item_id: 'text' } } as const;
        const error = await failure(
          test.database.write([items(good), { ...parts, rows: [['p', 'of nothing that is there']] }]),
        );
        expect(error).to.be.instanceOf(ConstraintViolation);
        expect(await rows()).to.deep.equal([]);
        await test.database.write([items(good), { ...parts, rows: good.map(([id]) => [`p${id}`, id!]) }]);
        expect((await rows()).length).to.equal(count);
        expect((await test.database.read('SELECT id FROM shop_parts').all()).length).to.equal(count);
      });

      it(`keeps a number of 2^53 - 1 and what is absent in ${what}`, async () => {
        await test.database.write([items([...good, ['z', 'dear', Number.MAX_SAFE_INTEGER, 0.1, 1]])]);
        expect((await rows()).at(-1)).to.deep.equal({
          id: 'z',
          name: 'dear',
          sold: Number.MAX_SAFE_INTEGER,
          price: 0.1,
          listed: 1,
        });
        expect((await rows())[0]).to.include({ sold: 0, price: null });
      });
    }
  });
});
