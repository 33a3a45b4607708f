import { randomSecret } from '../support/ids.ts';
import { onConflict, quoted } from './batch-sql.ts';
import type { BatchInsert, ColumnType, Database, Engine, SqlValue, Transaction } from './database.ts';

/** The type of a key column; text is compared byte by byte. */
export type RollupColumn = Extract<ColumnType, 'text' | 'integer'>;

/** What a roll-up adds up, and by what. */
export interface RollupDefinition {
  readonly table: string;
  /** The columns to group by: one sum for each combination of values. */
  readonly key: Readonly<Record<string, RollupColumn>>;
  /** Columns with sums; integers. */
  readonly sums: readonly string[];
  /** Columns with the highest value, such as the time of the last change. */
  readonly latest?: Readonly<Record<string, RollupColumn>>;
}

/**
 * A table of sums that are updated in the transactions that write the records. Readers `SUM` over the column `shard`: each
 * key has a row for each shard.
 */
export interface Rollup extends RollupDefinition {
  /** Creates the table; for a migration step of a plugin. */
  readonly createTable: (trx: Transaction, engine: Engine) => Promise<void>;
  /**
   * Adds to the sums. On SQLite, which has one writer, values are added to the existing ones. On PostgreSQL each writer
   * adds to its own rows, so that processes do not block each other; `fold` merges them.
   */
  readonly writer: (database: Pick<Database, 'engine'>) => RollupWriter;
  /**
   * Moves appended rows into shard 0, so that readers have few rows to add up; skips rows that another transaction has
   * locked. Several processes may fold at once. The visible sums never change.
   */
  readonly fold: (database: Pick<Database, 'engine' | 'knex'>) => Promise<void>;
}

/** Adds to a roll-up. */
export interface RollupWriter {
  /**
   * The rows to write together with the records: values of the key, of the sums and of the latest, in the order of the
   * definition. Rows with the same key are merged.
   */
  append(rows: readonly (readonly SqlValue[])[]): BatchInsert;
}

/** The shard of what was folded, and of everything on SQLite. */
const FOLDED = 0;
/**
 * PostgreSQL keeps each replaced version of a row while any snapshot may see it, and every further update scans them. A
 * new shard after this many batches keeps that scan short during a dump.
 */
const BATCHES_PER_SHARD = 500;
/** Rows that one transaction of `fold` moves; a batch that adds to one of them waits for it. */
const ROWS_PER_FOLD = 1_000;
const MOST_FOLDS = 50;

/** Defines a roll-up of a plugin. */
export function defineRollup(definition: RollupDefinition): Rollup {
  return {
    ...definition,
    createTable: (trx, engine) => createTable(trx, engine, definition),
    writer: (database) => createWriter(database, definition),
    fold: (database) => fold(database, definition),
  };
}

function createWriter(database: Pick<Database, 'engine'>, definition: RollupDefinition): RollupWriter {
  const { table, key, sums, latest } = definition;
  const isSharded = database.engine === 'postgres';
  const columns: BatchInsert['columns'] = {
    ...key,
    ...Object.fromEntries(sums.map((name) => [name, 'integer'] as const)),
    ...latest,
    shard: 'integer',
  };
  const rule = conflictRule(definition);
  const shape: Shape = { keys: Object.keys(key).length, sums: sums.length };
  let shard = FOLDED;
  let batches = 0;
  const currentShard = (): number => {
    // If two processes draw the same number, they block each other now and then; the sums stay correct.
    if (isSharded && batches++ % BATCHES_PER_SHARD === 0) shard = 1 + randomSecret(6).readUIntBE(0, 6);
    return shard;
  };
  return {
    append: (rows) => {
      const current = currentShard();
      return { table, columns, rows: merged(rows, shape).map((row) => [...row, current]), onConflict: rule };
    },
  };
}

/** What becomes of a row whose key is there already. */
function conflictRule({ key, sums, latest = {} }: RollupDefinition) {
  return { key: [...Object.keys(key), 'shard'], add: sums, max: Object.keys(latest) };
}

async function fold(
  { engine, knex }: Pick<Database, 'engine' | 'knex'>,
  definition: RollupDefinition,
): Promise<void> {
  if (engine !== 'postgres') return;
  const sql = foldStatement(definition);
  for (let folds = 0; folds < MOST_FOLDS; folds += 1) {
    const { rowCount } = await knex.raw<{ rowCount: number }>(sql);
    if (rowCount === 0) return;
  }
}

/** The layout of a row: first the key, then the sums, then the latest values. */
interface Shape {
  readonly keys: number;
  readonly sums: number;
}

/** Merges rows with the same key, because a statement must not update a row twice. */
function merged(rows: readonly (readonly SqlValue[])[], shape: Shape): readonly (readonly SqlValue[])[] {
  if (rows.length < 2) return rows;
  const byKey = new Map<string, SqlValue[]>();
  for (const row of rows) {
    const name = row.slice(0, shape.keys).join('\u0000');
    const known = byKey.get(name);
    if (known) addTo(known, row, shape);
    else byKey.set(name, [...row]);
  }
  return [...byKey.values()];
}

function addTo(known: SqlValue[], row: readonly SqlValue[], { keys, sums }: Shape): void {
  for (let index = keys; index < row.length; index += 1) {
    const [one, other] = [known[index]!, row[index]!];
    if (index < keys + sums) known[index] = Number(one) + Number(other);
    else if (other > one) known[index] = other;
  }
}

/** A single statement, so that no reader sees a sum missing or counted twice. */
function foldStatement(definition: RollupDefinition): string {
  const { table, key, sums, latest = {} } = definition;
  const rule = conflictRule(definition);
  const keys = Object.keys(key).map(quoted).join(', ');
  const [added, highest] = [sums.map(quoted), Object.keys(latest).map(quoted)];
  const columns = [keys, ...added, ...highest].join(', ');
  const values = [keys, ...added.map((name) => `SUM(${name})`), ...highest.map((name) => `MAX(${name})`)];
  // Ordered by key, so that processes that fold the same keys cannot deadlock.
  return `WITH moved AS (
      DELETE FROM ${quoted(table)} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${quoted(table)} WHERE shard <> ${FOLDED} LIMIT ${ROWS_PER_FOLD} FOR UPDATE SKIP LOCKED
      )) RETURNING ${columns}
    )
    INSERT INTO ${quoted(table)} (${columns}, shard)
    SELECT ${values.join(', ')}, ${FOLDED} FROM moved GROUP BY ${keys} ORDER BY ${keys}${onConflict({ table, onConflict: rule })}`;
}

async function createTable(
  trx: Transaction,
  engine: Engine,
  { table, key, sums, latest = {} }: RollupDefinition,
): Promise<void> {
  const types: Record<RollupColumn, string> = {
    text: engine === 'postgres' ? 'text COLLATE "C"' : 'text',
    integer: 'bigint',
  };
  const typed = Object.entries({ ...key, ...latest }).map(
    ([name, type]) => `${quoted(name)} ${types[type]} NOT NULL`,
  );
  const summed = sums.map((name) => `${quoted(name)} bigint NOT NULL DEFAULT 0`);
  const primary = [...Object.keys(key), 'shard'].map(quoted).join(', ');
  // Free space on each page keeps frequently updated rows on their page.
  const storage = engine === 'postgres' ? 'WITH (fillfactor = 50)' : 'WITHOUT ROWID';
  await trx.raw(
    `CREATE TABLE ${quoted(table)} (${[...typed, ...summed].join(', ')}, shard bigint NOT NULL,
      PRIMARY KEY (${primary})) ${storage}`,
  );
  if (engine === 'postgres') {
    await trx.raw(
      `CREATE INDEX ${quoted(`${table}_unfolded`)} ON ${quoted(table)} (shard) WHERE shard <> ${FOLDED}`,
    );
  }
}
