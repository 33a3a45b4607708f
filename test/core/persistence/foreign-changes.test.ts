import { expect } from 'chai';
import { coreMigrations } from '../../../core/persistence/migrations/core-migrations.ts';
import type { Transaction } from '../../../core/persistence/database.ts';
import type { PluginMigrations } from '../../../core/persistence/migrations/ledger.ts';
import { migrate } from '../../../core/persistence/migrations/migrate.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { quiet } from '../../support/quiet.ts';
import { failure, openAt, tableNames, TestDatabase } from './support.ts';

type Step = (trx: Transaction) => PromiseLike<unknown>;
const plugin = (id: string, ...steps: Step[]): PluginMigrations => ({
  id,
  migrations: steps.map((step, index) => ({
    name: `000${index + 1}_step`,
    up: async (trx) => void (await step(trx)),
  })),
});

/** Two tables, one of which refers to the other; one has a row. */
const demo = plugin('demo', async (trx) => {
  await trx.schema.createTable('demo_things', (table) => {
    table.text('id').primary();
    table.text('colour').index('demo_things_colour');
  });
  await trx.schema.createTable('demo_parts', (table) => {
    table.text('id').primary();
    table.text('thing_id').references('id').inTable('demo_things').onDelete('CASCADE');
    table.text('note');
  });
  await trx('demo_things').insert({ id: 'lamp', colour: 'red' });
});

const own: Step = (trx) => trx.schema.createTable('other_things', (table) => void table.text('id'));

describe('persistence: tables of other plugins', () => {
  onEveryEngine((engine) => {
    let test: TestDatabase;
    beforeEach(async () => {
      test = new TestDatabase();
      await test.open(engine, [coreMigrations, demo]);
    });
    afterEach(() => test.close());

    const run = (...plugins: PluginMigrations[]) =>
      migrate(test.database, [coreMigrations, demo, ...plugins], { logger: quiet });

    const recreate: Step = async (trx) => {
      await trx.schema.dropTable('demo_parts');
      await trx.schema.createTable('demo_parts', (table) => {
        table.text('id').primary();
        table.text('thing_id').references('id').inTable('demo_things').onDelete('CASCADE');
        table.text('note');
      });
    };
    const trigger: Step = (trx) =>
      engine === 'sqlite'
        ? trx.raw('CREATE TRIGGER other_t AFTER INSERT ON demo_things BEGIN SELECT 1; END')
        : trx.raw(
            'CREATE TRIGGER other_t BEFORE UPDATE ON demo_things FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
          );

    const forbidden: Record<string, [table: string, step: Step]> = {
      'a table without the prefix': [
        'elsewhere',
        (trx) => trx.schema.createTable('elsewhere', (t) => void t.text('id')),
      ],
      'a view without the prefix': [
        'elsewhere',
        (trx) => trx.raw('CREATE VIEW elsewhere AS SELECT 1 AS one'),
      ],
      'a dropped table': ['demo_parts', (trx) => trx.schema.dropTable('demo_parts')],
      'a table dropped and made anew as it was': ['demo_parts', recreate],
      'a table under another name': [
        'demo_parts',
        (trx) => trx.schema.renameTable('demo_parts', 'other_parts'),
      ],
      'an added column': [
        'demo_things',
        (trx) => trx.schema.alterTable('demo_things', (t) => void t.text('more')),
      ],
      'a dropped column': ['demo_parts', (trx) => trx.raw('ALTER TABLE demo_parts DROP COLUMN note')],
      'a renamed column': ['demo_things', (trx) => trx.raw('ALTER TABLE demo_things RENAME colour TO paint')],
      'an added index': [
        'demo_things',
        (trx) => trx.raw('CREATE INDEX other_index ON demo_things (colour, id)'),
      ],
      'a dropped index': ['demo_things', (trx) => trx.raw('DROP INDEX demo_things_colour')],
      'a trigger': ['demo_things', trigger],
      'an inserted row': ['demo_parts', (trx) => trx('demo_parts').insert({ id: 'p' })],
      'a replaced row': [
        'demo_things',
        (trx) => trx('demo_things').insert({ id: 'lamp' }).onConflict('id').merge({ colour: 'blue' }),
      ],
      'a changed row': ['demo_things', (trx) => trx('demo_things').update({ colour: 'blue' })],
      'a deleted row': ['demo_things', (trx) => trx('demo_things').delete()],
      'the steps that others ran': ['demo_migrations', (trx) => trx('demo_migrations').delete()],
    };
    for (const [what, [table, step]] of Object.entries(forbidden)) {
      it(`${what} stops the step, and nothing of it stays`, async () => {
        const before = await tableNames(test.database);
        const error = await failure(run(plugin('other', own, step)));
        expect(error.name).to.equal('StartupError');
        expect(error.message).to.match(new RegExp(`"other".*"0002_step".*rolled back: it .*\\b${table}\\b`));
        const made = ['other_migrations', 'other_migrations_lock', 'other_things'];
        expect(await tableNames(test.database)).to.have.members([...before, ...made]);
        expect(await test.database.knex('demo_things')).to.deep.equal([{ id: 'lamp', colour: 'red' }]);
        expect(await test.database.knex('demo_migrations')).to.have.length(1);
      });
    }

    it('are watched on the first start as well', async () => {
      const fresh = new TestDatabase();
      await fresh.open(engine);
      const drops = plugin('other', (trx) => trx.schema.dropTable('demo_parts'));
      const error = await failure(migrate(fresh.database, [coreMigrations, demo, drops], { logger: quiet }));
      expect(error.message).to.include('demo_parts');
      expect(await tableNames(fresh.database)).to.include('demo_parts');
      await fresh.close();
    });

    it('may be read, and own ones changed in every way', async () => {
      const reads: Step = async (trx) => {
        const things = await trx<{ id: string }>('demo_things').select('id').forUpdate();
        await trx('other_things').insert(things);
      };
      const changes: Step = async (trx) => {
        await trx.schema.alterTable('other_things', (t) => void t.text('id').notNullable().alter());
        await trx.schema.renameTable('other_things', 'other_parts');
        await trx('other_parts').update({ id: 'chair' });
      };
      await run(plugin('other', own, reads, changes));
      expect(await test.database.knex('other_parts').pluck('id')).to.deep.equal(['chair']);
    });

    it('are written by their own plugin after a step of another one', async () => {
      await run(plugin('other', own));
      await test.database.knex('demo_things').update({ colour: 'blue' });
      await test.database.transaction((trx) => trx('demo_things').insert({ id: 'chair' }));
      expect(await test.database.knex('demo_things')).to.have.length(2);
    });

    it('are told apart where the id of one plugin begins with that of another', async () => {
      const longer = plugin('demo-plus', (trx) =>
        trx.schema.createTable('demo_plus_things', (table) => void table.text('id')),
      );
      await run(longer);
      const grasping = { ...demo, migrations: [...demo.migrations] };
      grasping.migrations.push({
        name: '0002_step',
        up: async (trx) => trx.schema.dropTable('demo_plus_things'),
      });
      const error = await failure(
        migrate(test.database, [coreMigrations, grasping, longer], { logger: quiet }),
      );
      expect(error.message).to.include('demo_plus_things');
    });
  });

  it('may be changed by other instances meanwhile, on postgres', async () => {
    const test = new TestDatabase();
    await test.open('postgres', [coreMigrations, demo]);
    const instance = await openAt(test.url);
    let asked = false;
    const slow: Step = async (trx) => {
      // The step is also asked what it says, on a transaction without a database.
      if (!asked) await instance.knex.schema.createTable('demo_months', (table) => void table.text('id'));
      asked = true;
      await own(trx);
    };
    await migrate(test.database, [coreMigrations, demo, plugin('other', slow)], { logger: quiet });
    await instance.close();
    expect(await tableNames(test.database)).to.include.members(['demo_months', 'other_things']);
    await test.close();
  });
});
