import { numbered, quoted } from '../../../core/persistence/batch-sql.ts';
import { ledgerTable } from '../../../core/persistence/migrations/ledger.ts';
import { sizeOf, type Row } from '../cell.ts';
import { BATCH, tableSql, type RowSource } from '../row-source.ts';
import { ownersAmong, selectTables, type AppliedSteps, type StoredTable } from '../stored-table.ts';
import { TRANSFERS } from '../../../core/persistence/migrations/unfinished-transfer.ts';
import { openSession, TRANSFER_SETTINGS, type PostgresLocation, type PostgresSession } from './session.ts';
import { tablesOfSchema } from './tables.ts';
import { cellOf, textOf } from './values.ts';

/** The most rows that one answer of the server brings, because it arrives as a whole. */
const MOST_AT_ONCE = 64;
/** Rows of unknown size are asked for in small numbers first. */
const FIRST_AT_ONCE = 4;

/** Reads a PostgreSQL database in one transaction that sees it as it was at its beginning. */
export async function openPostgresSource(location: PostgresLocation): Promise<RowSource> {
  const session = await openSession(location);
  try {
    await beginSnapshot(session);
    const tables = await tablesOfSchema(session);
    const { own, foreign } = selectTables(tables);
    return {
      engine: 'postgres',
      description: session.description,
      tables: own,
      foreign,
      isUnfinished: tables.some(({ name }) => name === TRANSFERS),
      applied: await appliedIn(session, tables),
      ...readsOf(session),
    };
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** The lock comes before the first read, as in `pg_dump`, so that no table or partition is dropped in between. */
async function beginSnapshot(session: PostgresSession): Promise<void> {
  const names = (await tablesOfSchema(session)).map(({ name }) => quoted(name));
  const lock = names.length > 0 ? `; LOCK TABLE ${names.join(', ')} IN ACCESS SHARE MODE` : '';
  await session.rows(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${TRANSFER_SETTINGS}${lock}`);
}

async function appliedIn(
  session: PostgresSession,
  tables: readonly StoredTable[],
): Promise<readonly AppliedSteps[]> {
  const applied: AppliedSteps[] = [];
  for (const owner of ownersAmong(tables.map(({ name }) => name))) {
    const rows = await session.rows(`SELECT name FROM ${quoted(ledgerTable(owner))} ORDER BY id`);
    applied.push({ owner, applied: rows.map(([name]) => name!) });
  }
  return applied;
}

/** The reads of a source. */
export function readsOf(session: PostgresSession): Pick<RowSource, 'count' | 'range' | 'rows' | 'close'> {
  return {
    count: async (table) => {
      const [[count] = []] = await session.rows(tableSql(table).count);
      return Number(count);
    },
    range: async (table) => {
      if (table.key.length === 0) return undefined;
      const keyOf = async (sql: string): Promise<Row | undefined> => {
        const [row] = await session.rows(sql);
        return row?.map((text, index) => cellOf(text, kindOf(table, table.key[index]!)));
      };
      const [first, last] = [await keyOf(tableSql(table).first), await keyOf(tableSql(table).last)];
      return first && last && { first, last };
    },
    rows: (table, after) => batches(session, table, after),
    close: () => session.close(),
  };
}

function kindOf({ columns }: StoredTable, name: string) {
  return columns.find((column) => column.name === name)?.kind ?? 'text';
}

async function* batches(
  session: PostgresSession,
  table: StoredTable,
  after: Row | undefined,
): AsyncGenerator<readonly Row[]> {
  const sql = tableSql(table);
  const values = (after ?? []).map((value, index) => textOf(value, kindOf(table, table.key[index]!)));
  await session.rows(
    `DECLARE transfer_rows NO SCROLL CURSOR FOR ${numbered(after ? sql.rowsAfter : sql.rows)}`,
    values,
  );
  let atOnce = FIRST_AT_ONCE;
  let batch: Row[] = [];
  let bytes = 0;
  for (;;) {
    const fetched = await session.rows(`FETCH ${atOnce} FROM transfer_rows`);
    const rows = fetched.map((row) => row.map((text, index) => cellOf(text, table.columns[index]!.kind)));
    let largest = 1;
    for (const row of rows) {
      const size = sizeOf(row);
      largest = Math.max(largest, size);
      bytes += size;
    }
    batch.push(...rows);
    const isLast = rows.length < atOnce;
    if (batch.length > 0 && (isLast || batch.length >= BATCH.rows || bytes >= BATCH.bytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    if (isLast) break;
    atOnce = Math.max(1, Math.min(MOST_AT_ONCE, atOnce * 2, Math.floor(BATCH.bytes / largest)));
  }
  await session.rows('CLOSE transfer_rows');
}
