import type { Database, Engine } from '../../../core/index.ts';
import type { CallFilter, CallPage } from '../contract.ts';
import { callColumns, type CallRow } from '../recording/call-row.ts';
import { PAYLOAD_BYTES } from '../recording/payload-bytes.ts';
import { conditionOf, rangesOf, type Condition } from './call-condition.ts';
import { amongIds, listOfIds } from './id-lists.ts';

/** A record, and the bytes of JSON in it and the records before it on the page. */
export interface SizedRow extends CallRow {
  readonly bytes: number;
}

/** Reads a page, newest first. The page ends with the record that reaches `maxBytes`. */
export type CallPages = (filter: CallFilter, page: CallPage, maxBytes: number) => Promise<SizedRow[]>;

/** Makes the reader of pages. It finds ids in an index, so that skipping is cheap, and then reads their records. */
export function createCallPages(database: Pick<Database, 'engine' | 'read'>): CallPages {
  const { engine } = database;
  const rows = database.read<SizedRow>(rowsSql[engine]);
  return async (filter, page, maxBytes) => {
    const { sql, values } = idsStatement(engine, filter, page);
    const found = await database.read<{ id: string }>(sql).all(...values);
    if (found.length === 0) return [];
    const ids = found.map(({ id }) => id);
    return rows.all(listOfIds(engine, ids), maxBytes);
  };
}

/** Selects the ids of a page. Both engines merge several ranges in the order of ids and stop when the page is full. */
function idsStatement(engine: Engine, filter: CallFilter, page: CallPage): Condition {
  const { skip, limit } = page;
  const conditions = rangesOf(filter).map((range) => conditionOf(range, page));
  const parts = conditions.map(({ sql }) => rangeSql[engine](sql, skip + limit));
  return {
    sql: `${parts.join(' UNION ALL ')} ORDER BY id DESC LIMIT ? OFFSET ?`,
    values: [...conditions.flatMap(({ values }) => values), limit, skip],
  };
}

/**
 * PostgreSQL plans for all values at once and assumes that an unknown limit is large. The literal inner limit makes it
 * read in the order of the index, partition by partition.
 */
const rangeSql: Record<Engine, (condition: string, most: number) => string> = {
  sqlite: (condition) => `SELECT id FROM invocation_calls${condition}`,
  postgres: (condition, most) =>
    `SELECT id FROM (
      SELECT id FROM invocation_calls${condition} ORDER BY id DESC LIMIT ${powerOfTwo(most)}
    ) AS newest`,
};

/** Rounds limits up, so that few distinct statements are prepared. */
function powerOfTwo(atLeast: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, atLeast)));
}

const columns = (of: string): string => callColumns.map((column) => `${of}.${column}`).join(', ');

/**
 * Reads only the rows that fit, by running sums of their sizes. SQLite would copy whole rows while it sums, so its
 * statement reads the sizes first and the rows second. PostgreSQL copies only pointers to large values.
 */
const rowsSql: Record<Engine, string> = {
  sqlite: `
    SELECT ${columns('c')}, p.bytes FROM (
      SELECT id, size, SUM(size) OVER (ORDER BY id DESC) AS bytes FROM (
        SELECT id, ${PAYLOAD_BYTES} AS size FROM invocation_calls WHERE id ${amongIds.sqlite}
      ) AS sized
    ) AS p JOIN invocation_calls c ON c.id = p.id
    WHERE p.bytes - p.size < ? ORDER BY c.id DESC`,
  postgres: `
    SELECT ${columns('p')}, p.bytes FROM (
      SELECT *, SUM(size) OVER (ORDER BY id DESC) AS bytes FROM (
        SELECT *, ${PAYLOAD_BYTES} AS size FROM invocation_calls WHERE id ${amongIds.postgres}
      ) AS sized
    ) AS p WHERE p.bytes - p.size < ? ORDER BY p.id DESC`,
};
