import { quoted } from '../../../core/persistence/batch-sql.ts';
import { insertFailure, type RowTarget, type TableProgress } from '../row-target.ts';
import { selectTables, type StoredTable } from '../stored-table.ts';
import {
  TRANSFERS,
  TRANSFERS_SQL,
  type Transfer,
} from '../../../core/persistence/migrations/unfinished-transfer.ts';
import { openSession, TRANSFER_SETTINGS, type PostgresLocation, type PostgresSession } from './session.ts';
import { tablesOfSchema } from './tables.ts';
import { textOf } from './values.ts';

const SAVE = `INSERT INTO ${TRANSFERS} (name, state) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET state = excluded.state`;
const FOREIGN_KEYS = 'foreign keys';

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** Opens a PostgreSQL database to be loaded, in the first schema of its search path. */
export async function openPostgresTarget(location: PostgresLocation): Promise<RowTarget> {
  const session = await openSession(location);
  const exists = async (name: string): Promise<boolean> => {
    const [row] = await session.rows(
      'SELECT 1 FROM pg_class JOIN pg_namespace spaces ON spaces.oid = relnamespace WHERE nspname = current_schema() AND relname = $1',
      [name],
    );
    return row !== undefined;
  };
  const state = async (name: string): Promise<unknown> => {
    const [row] = await session.rows(`SELECT state FROM ${TRANSFERS} WHERE name = $1`, [name]);
    return row === undefined ? undefined : JSON.parse(row[0]!);
  };
  const save = (name: string, value: unknown) => session.rows(SAVE, [name, JSON.stringify(value)]);
  const together = (work: () => Promise<void>) => inTransaction(session, work);
  return {
    engine: 'postgres',
    description: session.description,
    unfinished: async () => ((await exists(TRANSFERS)) ? ((await state('')) as Transfer) : undefined),
    // Other applications may have tables in the same schema.
    hasTables: async () => exists('core_migrations'),
    begin: (transfer) =>
      together(async () => {
        await session.rows(TRANSFERS_SQL);
        await save('', transfer);
      }),
    prepare: async () => {
      if (await state(FOREIGN_KEYS)) return;
      const keys = await foreignKeys(session, selectTables(await tablesOfSchema(session)).own);
      await together(async () => {
        await save(FOREIGN_KEYS, keys);
        for (const { table, name } of keys) {
          await session.rows(`ALTER TABLE ${quoted(table)} DROP CONSTRAINT ${quoted(name)}`);
        }
      });
    },
    tables: async () => selectTables(await tablesOfSchema(session)).own,
    progress: async ({ name }) => (await state(name)) as TableProgress | undefined,
    clear: ({ name }) =>
      together(async () => {
        await session.rows(`TRUNCATE ${quoted(name)}`);
        await session.rows(`DELETE FROM ${TRANSFERS} WHERE name = $1`, [name]);
      }),
    insert: async (table, rows, progress) => {
      const columns = table.columns.map(({ kind }, index) => rows.map((row) => textOf(row[index]!, kind)));
      try {
        await together(async () => {
          if (rows.length > 0) await session.rows(insertSql(table), columns);
          await save(table.name, progress);
        });
      } catch (error) {
        throw insertFailure(table, progress, error);
      }
    },
    complete: () => together(() => complete(session, (name) => state(name))),
    finish: async () => void (await session.rows(`DROP TABLE ${TRANSFERS}`)),
    close: () => session.close(),
  };
}

async function inTransaction(session: PostgresSession, work: () => Promise<void>): Promise<void> {
  await session.rows(`BEGIN; ${TRANSFER_SETTINGS}`);
  try {
    await work();
    await session.rows('COMMIT');
  } catch (error) {
    await session.rows('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** One array for each column, so that the text does not depend on the number of rows. Texts are read as the type of the column. */
function insertSql({ name, columns }: StoredTable): string {
  const names = columns.map((column) => quoted(column.name)).join(', ');
  const values = columns.map(({ type = 'text' }, index) => `c${index}::${type}`).join(', ');
  const arrays = columns.map((_, index) => `$${index + 1}::text[]`).join(', ');
  const aliases = columns.map((_, index) => `c${index}`).join(', ');
  return `INSERT INTO ${quoted(name)} (${names}) OVERRIDING SYSTEM VALUE SELECT ${values} FROM unnest(${arrays}) AS given (${aliases})`;
}

async function foreignKeys(
  session: PostgresSession,
  tables: readonly StoredTable[],
): Promise<readonly ForeignKey[]> {
  const rows = await session.rows(
    `SELECT relname, conname, pg_get_constraintdef(keys.oid) FROM pg_constraint keys
     JOIN pg_class tables ON tables.oid = conrelid JOIN pg_namespace spaces ON spaces.oid = relnamespace
     WHERE nspname = current_schema() AND contype = 'f' AND conparentid = 0 AND relname = ANY($1)`,
    [tables.map(({ name }) => name)],
  );
  return rows.map(([table, name, definition]) => ({ table: table!, name: name!, definition: definition! }));
}

/** Adds the foreign keys, which checks all rows, and lets sequences go on behind the loaded rows. */
async function complete(session: PostgresSession, state: (name: string) => Promise<unknown>): Promise<void> {
  const tables = selectTables(await tablesOfSchema(session)).own;
  const present = (await foreignKeys(session, tables)).map(({ table, name }) => `${table} ${name}`);
  for (const { table, name, definition } of ((await state(FOREIGN_KEYS)) ?? []) as ForeignKey[]) {
    if (present.includes(`${table} ${name}`)) continue;
    await session.rows(`ALTER TABLE ${quoted(table)} ADD CONSTRAINT ${quoted(name)} ${definition}`);
  }
  for (const table of tables) {
    await continueSequences(session, table);
    await session.rows(`ANALYZE ${quoted(table.name)}`);
  }
}

async function continueSequences(session: PostgresSession, { name, columns }: StoredTable): Promise<void> {
  for (const column of columns.filter(({ kind }) => kind === 'integer')) {
    const [[sequence] = []] = await session.rows('SELECT pg_get_serial_sequence($1, $2)', [
      quoted(name),
      column.name,
    ]);
    if (!sequence) continue;
    await session.rows(
      `SELECT setval($1::regclass, highest) FROM (SELECT max(${quoted(column.name)}) AS highest FROM ${quoted(name)}) AS found WHERE highest IS NOT NULL`,
      [sequence],
    );
  }
}
