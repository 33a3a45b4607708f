import type { ColumnKind } from '../cell.ts';
import type { StoredTable } from '../stored-table.ts';
import type { PostgresSession } from './session.ts';

/**
 * Tables with their partitions as one, without generated columns. Unlogged tables are left out: PostgreSQL empties them
 * after a crash, so they hold nothing that must last.
 */
const COLUMNS = `
  SELECT relname, attname, typname, format_type(atttypid, NULL),
    (SELECT array_position(conkey, attnum) FROM pg_constraint WHERE conrelid = tables.oid AND contype = 'p')
  FROM pg_class tables
  JOIN pg_namespace spaces ON spaces.oid = relnamespace
  JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
  JOIN pg_type types ON types.oid = atttypid
  WHERE nspname = current_schema() AND relkind IN ('r', 'p') AND NOT relispartition AND relpersistence = 'p'
  ORDER BY relname COLLATE "C", attnum`;

/** The tables of the current schema. */
export async function tablesOfSchema(session: PostgresSession): Promise<StoredTable[]> {
  const byName = new Map<string, (string | null)[][]>();
  for (const row of await session.rows(COLUMNS)) {
    const columns = byName.get(row[0]!) ?? [];
    byName.set(row[0]!, [...columns, row]);
  }
  return [...byName].map(([name, columns]) => ({
    name,
    columns: columns.map(([, column, kind, type]) => ({
      name: column!,
      kind: KINDS[kind!] ?? 'text',
      type: type!,
    })),
    key: columns
      .filter((column) => column[4] !== null)
      .sort((one, other) => Number(one[4]) - Number(other[4]))
      .map((column) => column[1]!),
  }));
}

const KINDS: Readonly<Record<string, ColumnKind>> = {
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  bool: 'boolean',
  float4: 'single',
  float8: 'real',
  numeric: 'real',
  json: 'json',
  jsonb: 'json',
  bytea: 'blob',
  timestamp: 'time',
  timestamptz: 'time',
};
