import { expect } from 'chai';
import type { Migration, Transaction } from '../../core/index.ts';
import {
  lockFaults,
  migrationLock,
  onEveryEngine,
  tableFaults,
  type PluginTables,
} from '../../core/testing.ts';
import { builtInTables, readLock } from '../../scripts/docs/migration-lock.ts';

type Step = (trx: Transaction) => PromiseLike<unknown>;
const plugin = (id: string, ...steps: Step[]): PluginTables => ({
  id,
  migrations: steps.map((step, index): Migration => ({
    name: `000${index + 1}_step`,
    up: async (trx) => void (await step(trx)),
  })),
});
const creates =
  (table: string): Step =>
  (trx) =>
    trx.schema.createTable(table, (columns) => void columns.text('id').primary());

describe('migrations', () => {
  onEveryEngine((engine) => {
    it('of built-in plugins make tables of their own plugin, and touch no others', async () => {
      const plugins = await builtInTables();
      expect(plugins.filter(({ migrations = [] }) => migrations.length > 0)).to.have.length.above(5);
      expect(await tableFaults(engine, plugins)).to.deep.equal([]);
    });

    const demo = plugin('demo', creates('demo_things'), creates('demo_parts'), (trx) =>
      trx('demo_things').insert({ id: 'lamp' }),
    );

    it('that create, change, drop or write into tables of others are found out', async () => {
      const violations: [table: string, step: Step][] = [
        ['elsewhere', creates('elsewhere')],
        ['demo_more', creates('demo_more')],
        ['demo_things', (trx) => trx('demo_things').insert({ id: 'chair' })],
        ['demo_things', (trx) => trx('demo_things').where({ id: 'chair' }).update({ id: 'table' })],
        ['demo_things', (trx) => trx('demo_things').where({ id: 'table' }).delete()],
        ['demo_things', (trx) => trx.raw('CREATE INDEX other_index ON demo_things (id)')],
        ['demo_things', (trx) => trx.schema.alterTable('demo_things', (table) => void table.text('more'))],
        ['demo_things', (trx) => trx.schema.renameTable('demo_things', 'other_things')],
        ['demo_parts', (trx) => trx.schema.dropTable('demo_parts')],
      ];
      const other = plugin('other', ...violations.map(([, step]) => step));
      expect(await tableFaults(engine, [demo, other])).to.deep.equal(
        violations.map(
          ([table], index) =>
            `Plugin "other": 000${index + 1}_step creates, changes, drops or writes into ${table}, but its tables begin with "other_".`,
        ),
      );
    });

    it('may read tables of others, and change their own in every way', async () => {
      const own = plugin(
        'other',
        creates('other_things'),
        async (trx) => trx('other_things').insert(await trx('demo_things').select('id')),
        (trx) => trx.schema.renameTable('other_things', 'other_parts'),
      );
      expect(await tableFaults(engine, [demo, own])).to.deep.equal([]);
    });

    it('are told apart where the id of one plugin begins with that of another', async () => {
      const longer = plugin('demo-plus', creates('demo_plus_things'));
      const grasping = plugin('demo', creates('demo_plus_parts'));
      expect(await tableFaults(engine, [longer, grasping])).to.have.length(1);
    });
  });

  it('of built-in plugins are as they were locked; npm run lock:migrations locks new ones', async () => {
    expect(lockFaults(readLock(), await migrationLock(await builtInTables()))).to.deep.equal([]);
  });

  it('are locked to what they say, not to how they are written', async () => {
    const lock = await migrationLock([plugin('demo', creates('demo_things'), creates('demo_parts'))]);
    const rewritten = plugin(
      'demo',
      async (trx) => {
        const name = ['demo', 'things'].join('_');
        await trx.schema.createTable(name, (table) => table.text('id').primary());
      },
      creates('demo_parts'),
    );
    expect(lockFaults(lock, await migrationLock([rewritten]))).to.deep.equal([]);
    const edited = plugin('demo', (trx) =>
      trx.schema.createTable('demo_things', (table) => void table.text('name')),
    );
    expect(lockFaults(lock, await migrationLock([edited]))).to.deep.equal([
      'Plugin "demo": 0001_step was edited. Put it back as it was, and add a new step.',
      'Plugin "demo": 0002_step was removed. Put it back.',
    ]);
    expect(lockFaults({}, lock)).to.have.length(2);
  });
});
