import { expect } from 'chai';
import type { Transaction } from '../../../core/persistence/database.ts';
import type { PluginMigrations, Migration } from '../../../core/persistence/migrations/ledger.ts';
import { migrate } from '../../../core/persistence/migrations/migrate.ts';
import { migrationStatus } from '../../../core/persistence/migrations/status.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { quiet } from '../../support/quiet.ts';
import { failure, openAt, tableNames, TestDatabase } from './support.ts';

const creates = (name: string, table: string): Migration => ({
  name,
  up: async (trx) => trx.schema.createTable(table, (columns) => void columns.text('id').primary()),
});
const plugin = (id: string, ...migrations: Migration[]): PluginMigrations => ({ id, migrations });

describe('persistence: migrations', () => {
  onEveryEngine((engine) => {
    let test: TestDatabase;
    beforeEach(async () => {
      test = new TestDatabase();
      await test.open(engine);
    });
    afterEach(() => test.close());

    const run = (...plugins: PluginMigrations[]) => migrate(test.database, plugins, { logger: quiet });
    const tables = () => tableNames(test.database);
    const first = creates('0001_things', 'demo_things');
    const second = creates('0002_parts', 'demo_parts');

    it('run once, in order, and report what they did', async () => {
      expect(await run(plugin('demo', first))).to.deep.equal([{ plugin: 'demo', applied: ['0001_things'] }]);
      expect(await run(plugin('demo', first, second))).to.deep.equal([
        { plugin: 'demo', applied: ['0002_parts'] },
      ]);
      expect(await run(plugin('demo', first, second))).to.deep.equal([{ plugin: 'demo', applied: [] }]);
    });

    it('keep a ledger per plugin, so that a plugin can be left out and come back', async () => {
      await run(plugin('demo', first), plugin('two-words', creates('0001_things', 'two_words_things')));
      await run(plugin('demo', first));
      expect(await tables()).to.include.members(['demo_migrations', 'two_words_migrations']);
      const status = await migrationStatus(test.database, [plugin('two-words', creates('0001_things', 'x'))]);
      expect(status[0]?.applied).to.deep.equal(['0001_things']);
    });

    it('report what is pending without changing anything', async () => {
      const status = await migrationStatus(test.database, [plugin('demo', first)]);
      expect(status).to.deep.equal([{ plugin: 'demo', applied: [], pending: ['0001_things'], unknown: [] }]);
      expect(await tables()).to.deep.equal([]);
    });

    it('roll a step back whole when it throws, and name plugin, step and reason', async () => {
      const broken: Migration = {
        name: '0002_broken',
        up: async (trx) => {
          await second.up(trx, engine);
          await trx('demo_things').insert({ id: 'half' });
          throw new Error('the moon is full');
        },
      };
      const error = await failure(run(plugin('demo', first, broken)));
      expect(error.name).to.equal('StartupError');
      expect(error.message).to.match(/"demo".*"0002_broken".*rolled back.*the moon is full/);
      expect(await tables())
        .to.include('demo_things')
        .and.not.include('demo_parts');
      expect(await test.database.knex('demo_things')).to.deep.equal([]);
    });

    it('go on where they failed, once the step is corrected', async () => {
      await failure(run(plugin('demo', first, creates('0002_parts', 'demo_things'))));
      expect(await run(plugin('demo', first, second))).to.deep.equal([
        { plugin: 'demo', applied: ['0002_parts'] },
      ]);
    });

    it('refuse a database on which a newer version ran', async () => {
      await run(plugin('demo', first, second));
      const error = await failure(run(plugin('demo', first)));
      expect(error.name).to.equal('StartupError');
      expect(error.message).to.match(/"demo": the database has 0002_parts\..*newer one ran here/s);
    });

    it('refuse a database from before the first release, and leave it as it was', async () => {
      const { knex } = test.database;
      const increment = engine === 'sqlite' ? 'integer PRIMARY KEY AUTOINCREMENT' : 'serial PRIMARY KEY';
      await knex.raw(`CREATE TABLE demo_migrations (id ${increment}, name text, batch integer)`);
      await knex.raw('CREATE TABLE demo_things (id text)');
      await knex.raw("INSERT INTO demo_migrations (name, batch) VALUES ('0001_old', 1), ('0002_older', 2)");
      const before = await tables();
      const error = await failure(
        run(plugin('new', creates('0001_tables', 'new_things')), plugin('demo', first)),
      );
      expect(error.name).to.equal('StartupError');
      expect(error.message).to.match(
        /"demo": the database has 0001_old, 0002_older\..*before the first release.*nothing in it was changed.*DATABASE_URL/s,
      );
      expect(await tables()).to.deep.equal(before);
      expect(await knex('demo_migrations').pluck('name')).to.deep.equal(['0001_old', '0002_older']);
    });

    it('run once when two instances start together', async () => {
      const other = await openAt(test.url, { busyTimeoutMs: 5_000 });
      const slow: Migration = {
        name: '0001_things',
        up: async (trx, on) => {
          await new Promise((resolve) => setTimeout(resolve, 50));
          await first.up(trx, on);
        },
      };
      const both = await Promise.all([
        run(plugin('demo', slow)),
        migrate(other, [plugin('demo', slow)], { logger: quiet }),
      ]);
      await other.close();
      expect(both.flat().flatMap(({ applied }) => applied)).to.deep.equal(['0001_things']);
    });

    it('keep the rows that refer to a table which is rebuilt', async () => {
      const related: Migration = {
        name: '0001_related',
        up: async (trx: Transaction) => {
          await trx.schema.createTable('demo_things', (table) => {
            table.text('id').primary();
            table.text('kind');
          });
          await trx.schema.createTable('demo_parts', (table) => {
            table.text('id').primary();
            table.text('thing_id').references('id').inTable('demo_things').onDelete('CASCADE');
          });
          await trx('demo_things').insert({ id: 't', kind: 'k' });
          await trx('demo_parts').insert({ id: 'p', thing_id: 't' });
        },
      };
      const rebuilt: Migration = {
        name: '0002_rebuilt',
        up: async (trx) =>
          trx.schema.alterTable(
            'demo_things',
            (table) => void table.text('kind').notNullable().defaultTo('x').alter(),
          ),
      };
      await run(plugin('demo', related, rebuilt));
      expect(await test.database.knex('demo_parts').pluck('id')).to.deep.equal(['p']);
    });
  });

  it('on sqlite refuse a step that leaves rows without the row they refer to', async () => {
    const test = new TestDatabase();
    await test.open('sqlite');
    const orphans: Migration = {
      name: '0001_orphans',
      up: async (trx) => {
        await trx.schema.createTable('demo_parts', (table) => {
          table.text('id').primary();
          table.text('part_of').references('id').inTable('demo_parts');
        });
        await trx('demo_parts').insert({ id: 'p', part_of: 'nothing' });
      },
    };
    const error = await failure(migrate(test.database, [plugin('demo', orphans)], { logger: quiet }));
    expect(error.message).to.match(/1 rows of demo_parts would lose their row of demo_parts/);
    await test.close();
  });
});
