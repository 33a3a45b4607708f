import type { Database, Engine, PreparedRead } from '../../../core/index.ts';
import type { CallFilter, CallPage } from '../contract.ts';
import { callColumns, idsOf, type CallRow } from '../recording/call-row.ts';
import { PAYLOAD_BYTES, withinBytes, type Sized } from '../recording/payload-bytes.ts';
import { conditionOf, rangesOf, type Condition } from './call-condition.ts';
import { amongIds, listOfIds } from './id-lists.ts';

/** Reads a page, newest first. The page is cut before the call that exceeds `maxBytes` of JSON. */
export type CallPages = (
  filter: CallFilter,
  page: CallPage,
  maxBytes: number,
) => Promise<{ readonly rows: readonly CallRow[]; readonly isCut: boolean }>;

/**
 * Makes the reader of pages. It finds ids in an index, so that skipping is cheap, then the sizes of their calls, and reads
 * those that fit. Each statement reads ended and open calls, so that a call that ends meanwhile is not missed.
 */
export function createCallPages(database: Pick<Database, 'engine' | 'read'>): CallPages {
  const { engine } = database;
  const fromBoth = (columns: string): string =>
    ['invocation_calls', 'invocation_open_calls']
      .map((table) => `SELECT ${columns} FROM ${table} WHERE id ${amongIds[engine]}`)
      .join(' UNION ALL ');
  const sizes = database.read<Sized>(fromBoth(`id, ${PAYLOAD_BYTES} AS size`));
  const calls = database.read<CallRow>(fromBoth(callColumns.join(', ')));
  const ofIds = async <Row extends { readonly id: string }>(
    statement: PreparedRead<Row>,
    ids: readonly { readonly id: string }[],
  ): Promise<Row[]> => {
    const list = listOfIds(engine, idsOf(ids));
    const rows = await statement.all(list, list);
    return rows.sort((one, other) => (one.id < other.id ? 1 : -1));
  };
  return async (filter, page, maxBytes) => {
    const { sql, values } = idsStatement(engine, filter, page);
    // For all values PostgreSQL would assume that two bounds enclose few calls, and sort all of them.
    const plansEachUse = filter.from !== undefined && (filter.until ?? page.before) !== undefined;
    const ids = await database.read<{ id: string }>(sql, { plansEachUse }).all(...values);
    if (ids.length === 0) return { rows: [], isCut: false };
    const found = await ofIds(sizes, ids);
    const fitting = withinBytes(found, maxBytes);
    return { rows: await ofIds(calls, fitting), isCut: fitting.length < found.length };
  };
}

/** Selects the ids of a page. Both engines merge several ranges in the order of ids and stop when the page is full. */
function idsStatement(engine: Engine, filter: CallFilter, page: CallPage): Condition {
  const { skip, limit } = page;
  const rangeOf = (table: string, range: CallFilter): Condition => {
    const { sql, values } = conditionOf(range, page);
    return { sql: rangeSql[engine](`${table}${sql}`, skip + limit), values };
  };
  const ranges = [
    ...rangesOf(filter).map((range) => rangeOf('invocation_calls', range)),
    rangeOf('invocation_open_calls', filter),
  ];
  return {
    sql: `${ranges.map(({ sql }) => sql).join(' UNION ALL ')} ORDER BY id DESC LIMIT ? OFFSET ?`,
    values: [...ranges.flatMap(({ values }) => values), limit, skip],
  };
}

/**
 * PostgreSQL plans for all values at once and assumes that an unknown limit is large. The literal inner limit makes it
 * read in the order of the index, partition by partition.
 */
const rangeSql: Record<Engine, (selection: string, most: number) => string> = {
  sqlite: (selection) => `SELECT id FROM ${selection}`,
  postgres: (selection, most) =>
    `SELECT id FROM (
      SELECT id FROM ${selection} ORDER BY id DESC LIMIT ${powerOfTwo(most)}
    ) AS newest`,
};

/** Rounds limits up, so that few distinct statements are prepared. */
function powerOfTwo(atLeast: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, atLeast)));
}
