import { randomSecret } from '../support/ids.ts';
import { onConflict, quoted } from './batch-sql.ts';
import type { BatchInsert, ColumnType, Database, Engine, SqlValue, Transaction } from './database.ts';

/** The type of a key column; text is compared byte by byte. */
export type RollupColumn = Extract<ColumnType, 'text' | 'integer'>;

/** A table of sums that are kept beside records, in the transactions that write the records. */
export interface RollupDefinition {
  readonly table: string;
  /** What is summed up apart: one sum for each combination of values. */
  readonly key: Readonly<Record<string, RollupColumn>>;
  /** Columns that add up; integers. */
  readonly sums: readonly string[];
  /** Columns that keep their highest value, such as the time of the last change. */
  readonly latest?: Readonly<Record<string, RollupColumn>>;
}

/** Adds to a roll-up. Readers `SUM` over the column `shard`: each key has a row for each shard. */
export interface Rollup {
  /**
   * The rows to write together with the records: values of the key, of the sums and of the latest, in the order of the
   * definition. Rows with the same key are added up.
   */
  append(rows: readonly (readonly SqlValue[])[]): BatchInsert;
  /**
   * Moves what was appended into shard 0, so that readers have few rows to add up: all of it, but for rows that another
   * transaction holds at this moment. Several processes may fold at once. Sums stay the same at every moment.
   */
  fold(): Promise<void>;
}

/** The shard of what was folded, and of everything on SQLite. */
const FOLDED = 0;
/**
 * PostgreSQL keeps each version of a row that an update replaced for as long as any snapshot may see it, and every further
 * update walks over them. New rows after so many batches keep that walk short during a dump.
 */
const BATCHES_PER_SHARD = 500;
/** Rows that one transaction of `fold` moves; a batch that adds to one of them waits for it. */
const ROWS_PER_FOLD = 1_000;
const MOST_FOLDS = 50;

/**
 * Keeps the sums of a definition. On SQLite, which has one writer, they are added to the sums that are there. On PostgreSQL
 * each process adds to rows of its own, so that processes do not wait for each other; `fold` joins them.
 */
export function createRollup(
  database: Pick<Database, 'engine' | 'knex'>,
  definition: RollupDefinition,
): Rollup {
  const { table, key, sums, latest = {} } = definition;
  const isSharded = database.engine === 'postgres';
  const columns: BatchInsert['columns'] = {
    ...key,
    ...Object.fromEntries(sums.map((name) => [name, 'integer'] as const)),
    ...latest,
    shard: 'integer',
  };
  const rule = { key: [...Object.keys(key), 'shard'], add: sums, max: Object.keys(latest) };
  const foldSql = foldStatement(definition, onConflict({ table, onConflict: rule }));
  const shape: Shape = { keys: Object.keys(key).length, sums: sums.length };
  let shard = FOLDED;
  let batches = 0;
  const currentShard = (): number => {
    // A random number that two processes share would cost them a wait, and no sum.
    if (isSharded && batches++ % BATCHES_PER_SHARD === 0) shard = 1 + randomSecret(6).readUIntBE(0, 6);
    return shard;
  };
  return {
    append: (rows) => {
      const current = currentShard();
      return { table, columns, rows: merged(rows, shape).map((row) => [...row, current]), onConflict: rule };
    },
    fold: async () => {
      if (!isSharded) return;
      for (let folds = 0; folds < MOST_FOLDS; folds += 1) {
        const { rowCount } = await database.knex.raw<{ rowCount: number }>(foldSql);
        if (rowCount === 0) return;
      }
    },
  };
}

/** Where the columns of a row are: first the key, then the sums, then the latest. */
interface Shape {
  readonly keys: number;
  readonly sums: number;
}

/** Adds up rows with the same key, for a statement must not meet a row twice. */
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
  for (let place = keys; place < row.length; place += 1) {
    const [one, other] = [known[place]!, row[place]!];
    if (place < keys + sums) known[place] = Number(one) + Number(other);
    else if (other > one) known[place] = other;
  }
}

/** One statement is one transaction: no sum is missing or there twice at any moment. */
function foldStatement({ table, key, sums, latest = {} }: RollupDefinition, onConflictRule: string): string {
  const keys = Object.keys(key).map(quoted).join(', ');
  const [added, highest] = [sums.map(quoted), Object.keys(latest).map(quoted)];
  const columns = [keys, ...added, ...highest].join(', ');
  const values = [keys, ...added.map((name) => `SUM(${name})`), ...highest.map((name) => `MAX(${name})`)];
  // In the order of the key: two processes that fold the same keys cannot wait for each other in a circle.
  return `WITH moved AS (
      DELETE FROM ${quoted(table)} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${quoted(table)} WHERE shard <> ${FOLDED} LIMIT ${ROWS_PER_FOLD} FOR UPDATE SKIP LOCKED
      )) RETURNING ${columns}
    )
    INSERT INTO ${quoted(table)} (${columns}, shard)
    SELECT ${values.join(', ')}, ${FOLDED} FROM moved GROUP BY ${keys} ORDER BY ${keys}${onConflictRule}`;
}

/** Makes the table of a roll-up; for a step of a plugin's migrations. */
export async function createRollupTable(
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
  // Rows that are updated again and again stay on their page when there is room on it.
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
