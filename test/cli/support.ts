import { join } from 'node:path';
import { definePlugin, type Engine, type Migration, type Transaction } from '../../core/index.ts';
import { migrateUp } from '../../cli/migrate-commands.ts';
import { makePlan, type Plan } from '../../core/kernel/plan.ts';
import { makeScratch, type Scratch } from '../../core/testing.ts';
import type { OpenDatabase } from '../../core/persistence/kernel-database.ts';
import { openAt } from '../core/persistence/support.ts';

const tables: Migration = {
  name: '0001_tables',
  up: async (trx: Transaction) => {
    await trx.schema.createTable('museum_rooms', (table) => {
      table.text('id').primary();
      table.text('name').notNullable();
      table.text('inside').references('id').inTable('museum_rooms');
    });
    await trx.schema.createTable('museum_things', (table) => {
      table.increments('number');
      table.text('room').notNullable().references('id').inTable('museum_rooms');
      table.bigInteger('weight');
      table.double('height');
      table.float('width');
      table.boolean('shown').notNullable();
      table.jsonb('notes');
      table.binary('picture');
      table.timestamp('found_at');
    });
    await trx.schema.createTable('museum_visits', (table) => {
      table.text('of').notNullable();
      table.integer('minutes').notNullable();
    });
  },
};

const colours: Migration = {
  name: '0002_colours',
  up: async (trx: Transaction) =>
    trx.schema.alterTable(
      'museum_things',
      (table) => void table.text('colour').notNullable().defaultTo('grey'),
    ),
};

/** A plugin with columns of every kind, with keys of several kinds, and with rows that refer to later ones. */
export const museum = definePlugin({
  id: 'museum',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Keeps things',
  migrations: [tables],
  backup: { folders: ['waiting'] },
});

/** How many things fit in while the museum is closed: more than one batch. */
const FITTING = 650;

/** The same plugin, with a table that takes no more than some things: a load into it breaks off. */
export const closedMuseum = definePlugin({
  ...museum,
  migrations: [
    {
      name: tables.name,
      up: async (trx: Transaction, engine: Engine) => {
        await tables.up(trx, engine);
        await trx.raw(
          engine === 'postgres'
            ? `ALTER TABLE museum_things ADD CONSTRAINT closed CHECK (number <= ${FITTING})`
            : `CREATE TRIGGER closed BEFORE INSERT ON museum_things WHEN new.number > ${FITTING}
               BEGIN SELECT RAISE(ABORT, 'closed'); END`,
        );
      },
    },
  ],
});

/** Lets everything in again. */
export async function reopen(here: House): Promise<void> {
  const database = await here.open();
  await database.knex.raw(
    database.engine === 'postgres'
      ? 'ALTER TABLE museum_things DROP CONSTRAINT closed'
      : 'DROP TRIGGER closed',
  );
  await database.close();
}

/** The same plugin in a later release. */
export const museumOfLater = definePlugin({ ...museum, version: '1.1.0', migrations: [tables, colours] });

/** An installation in a place of its own. */
export interface House {
  readonly scratch: Scratch;
  readonly plan: Plan;
  open(): Promise<OpenDatabase>;
  remove(): Promise<void>;
}

/** An installation with an empty database without tables. */
export async function house(
  engine: Engine,
  plugin = museum,
  settings: Readonly<Record<string, Record<string, unknown>>> = {},
): Promise<House> {
  const scratch = await makeScratch(engine);
  return houseIn(scratch, plugin, settings);
}

/** An installation in a place that exists. */
export async function houseIn(
  scratch: Scratch,
  plugin = museum,
  settings: Readonly<Record<string, Record<string, unknown>>> = {},
): Promise<House> {
  const plan = await makePlan({
    env: {},
    cwd: scratch.dataDir,
    definitions: [plugin],
    overrides: {
      ...settings,
      data: { dir: join(scratch.dataDir, 'data') },
      database: { url: scratch.databaseUrl },
      log: { level: 'silent' },
    },
  });
  return {
    scratch,
    plan,
    open: () => openAt(scratch.databaseUrl, { backup_before_upgrade: false }),
    remove: () => scratch.remove(),
  };
}

/** Things that differ between engines, or between a number and a text. */
const ODD = {
  weights: [0, -1, '9007199254740993', '-9223372036854775808', null],
  heights: [0.1, -1e300, 5e-324, 3, null],
  notes: ['{"b":1,"a":[null,"ü"]}', '"one\\u2028line"', '17', '[]', null],
  times: [0, 1_764_201_600_123, 951_782_400_000, 1, null],
};

/** Fills the museum with rooms that contain each other and with `count` things. */
export async function fill(here: House, count: number): Promise<void> {
  await migrateUp(here.plan);
  const database = await here.open();
  try {
    await database.transaction(async (trx) => {
      const rooms = ['b', 'a', 'Z', 'ä', '_'];
      await trx('museum_rooms').insert(rooms.map((id) => ({ id, name: `Room ${id}` })));
      await trx('museum_rooms').where({ id: '_' }).update({ inside: 'ä' });
      for (let from = 0; from < count; from += 100) {
        await trx('museum_things').insert(
          Array.from({ length: Math.min(100, count - from) }, (_, index) => thing(here, from + index)),
        );
      }
      await trx('museum_visits').insert(['a', 'a', 'b'].map((of) => ({ of, minutes: 5 })));
    });
  } finally {
    await database.close();
  }
}

function thing({ scratch }: House, index: number): Record<string, unknown> {
  const time = ODD.times[index % ODD.times.length]!;
  return {
    room: ['a', 'b', 'Z', 'ä', '_'][index % 5],
    weight: ODD.weights[index % ODD.weights.length],
    height: ODD.heights[(index + 1) % ODD.heights.length],
    // Four bytes hold it exactly.
    width: index / 8,
    shown: index % 3 === 0,
    notes: ODD.notes[(index + 2) % ODD.notes.length],
    picture: index % 2 === 0 ? Buffer.from([0, 1, 255, index % 256]) : null,
    found_at:
      time === null ? null : scratch.databaseUrl.startsWith('sqlite') ? time : new Date(time).toISOString(),
  };
}
