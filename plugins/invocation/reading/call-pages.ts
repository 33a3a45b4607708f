import type { Database, Engine } from '../../../core/index.ts';
import type { CallFilter, CallPage } from '../contract.ts';
import { callColumns, type CallRow } from '../recording/call-row.ts';
import { PAYLOAD_BYTES } from '../recording/payload-bytes.ts';
import { conditionOf, rangesOf, type Condition } from './call-condition.ts';
import { amongIds, listOfIds } from './id-lists.ts';

/** A record, and the bytes of JSON in it and all before it on its page. */
export interface SizedRow extends CallRow {
  readonly bytes: number;
}

/** Newest first; ends with the record that reaches `maxBytes`. */
export type CallPages = (filter: CallFilter, page: CallPage, maxBytes: number) => Promise<SizedRow[]>;

/** Finds the ids of a page in an index alone, which makes it cheap to skip entries, and then reads their records. */
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

/** Both engines merge several ranges in the order of ids, and stop when the page is full. */
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
 * PostgreSQL plans once for all values, and takes a limit that it does not know for a large one: the inner limit tells it
 * the magnitude, so that it reads in the order of the index, partition by partition.
 */
const rangeSql: Record<Engine, (condition: string, most: number) => string> = {
  sqlite: (condition) => `SELECT id FROM invocation_calls${condition}`,
  postgres: (condition, most) =>
    `SELECT id FROM (
      SELECT id FROM invocation_calls${condition} ORDER BY id DESC LIMIT ${powerOfTwo(most)}
    ) AS newest`,
};

/** A few magnitudes are a few statements. */
function powerOfTwo(atLeast: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, atLeast)));
}

const columns = (of: string): string => callColumns.map((column) => `${of}.${column}`).join(', ');

/**
 * No more rows are read whole than fit; sizes are read from their heads. SQLite would carry whole rows along while it adds
 * up, so it looks twice. PostgreSQL carries what is large as a pointer.
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
