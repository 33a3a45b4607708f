import type { Database, Engine, PreparedRead } from '../../../core/index.ts';
import { conditionOf, type Condition } from './call-condition.ts';
import { callColumns, type CallRow } from '../recording/call-row.ts';
import { callWindows, type CallWindow } from './call-windows.ts';
import type { CallFilter, CallPage, CallStatus } from '../contract.ts';
import { amongIds, listOfIds } from './id-lists.ts';
import { PAYLOAD_BYTES } from '../recording/payload-bytes.ts';

/** A record, and the bytes of JSON in it and all before it on its page. */
export interface SizedRow extends CallRow {
  readonly bytes: number;
}

/** The statements behind the call log. */
export interface CallReads {
  byId(id: string): Promise<CallRow | undefined>;
  /** Newest first. */
  ids(filter: CallFilter, page: CallPage): Promise<readonly string[]>;
  /** The same in small steps, for where there may be few among many others. */
  walk(filter: CallFilter, page: CallPage): Promise<readonly string[]>;
  /** Newest first; ends with the record that reaches `maxBytes`. */
  rows(ids: readonly string[], maxBytes: number): Promise<SizedRow[]>;
  count(filter: CallFilter, before?: string): Promise<number>;
}

/** What one statement does where SQLite would keep the main thread: a millisecond or so of each. */
interface Steps {
  /** Entries of an index. */
  readonly counted: number;
  /** Records that are looked into. */
  readonly walked: number;
}

const STEPS: Steps = { counted: 20_000, walked: 2_000 };

interface Id {
  readonly id: string;
}

const columns = (of: string): string => callColumns.map((column) => `${of}.${column}`).join(', ');

/**
 * The page is found in an index alone, which makes passing over entries cheap. PostgreSQL plans once for all values,
 * and takes a limit that it does not know for a large one: the inner limit tells it the magnitude, so that it reads in
 * the order of the index, partition by partition, and stops when the page is full.
 */
const pageSql = (table: string, condition: string, most: number): string =>
  `SELECT id FROM (SELECT id FROM ${table}${condition} ORDER BY id DESC LIMIT ${powerOfTwo(most)}) AS newest
   ORDER BY id DESC LIMIT ? OFFSET ?`;

/** SQLite takes bounds in time for better than an algorithm, where it must look into the records for their status. */
function tableFor({ userId, algorithmId, status }: CallFilter, engine: Engine): string {
  const isOfAlgorithm = userId !== undefined && algorithmId !== undefined && status === 'success';
  return isOfAlgorithm && engine === 'sqlite'
    ? 'invocation_calls INDEXED BY invocation_calls_of_user_and_algorithm'
    : 'invocation_calls';
}

/** A few magnitudes are a few statements. */
function powerOfTwo(atLeast: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, atLeast)));
}

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

const COUNT = 'SELECT COUNT(*) AS calls FROM invocation_calls';

const withoutSuccess = {
  failed: true,
  pending: true,
  running: true,
  canceled: true,
} as const satisfies Record<Exclude<CallStatus, 'success'>, true>;
const OTHERS = Object.keys(withoutSuccess);

/** No index has the successes of a caller, but one has all calls and another all that did not succeed. */
function isDifference({ userId, versionId, status }: CallFilter): boolean {
  return status === 'success' && userId !== undefined && versionId === undefined;
}

function countOf(filter: CallFilter, before: string | undefined): Condition {
  if (!isDifference(filter)) {
    const { sql, values } = conditionOf(filter, { before });
    return { sql: COUNT + sql, values };
  }
  const { sql, values } = conditionOf({ ...filter, status: undefined }, { before });
  const listed = OTHERS.map((status) => `'${status}'`).join(', ');
  const others = `${sql} AND status IN (${listed}) AND status <> 'success'`;
  return {
    sql: `SELECT (${COUNT}${sql}) - (${COUNT}${others}) AS calls`,
    values: [...values, ...values],
  };
}

export function createCallReads(database: Database, steps: Steps = STEPS): CallReads {
  const statements = new Map<string, PreparedRead<never>>();
  const prepared = <Row>(sql: string): PreparedRead<Row> => {
    const statement = statements.get(sql) ?? database.read<never>(sql);
    statements.set(sql, statement);
    return statement as PreparedRead<Row>;
  };
  const byId = prepared<CallRow>(`SELECT ${callColumns.join(', ')} FROM invocation_calls WHERE id = ?`);
  const rows = prepared<SizedRow>(rowsSql[database.engine]);
  const idsIn = async (
    filter: CallFilter,
    { skip, limit }: Pick<CallPage, 'skip' | 'limit'>,
    bounds: Partial<CallWindow>,
  ): Promise<readonly string[]> => {
    const { sql, values } = conditionOf(filter, bounds);
    const text = pageSql(tableFor(filter, database.engine), sql, skip + limit);
    const found = await prepared<Id>(text).all(...values, limit, skip);
    return found.map(({ id }) => id);
  };
  const countAtOnce = async (filter: CallFilter, before: string | undefined): Promise<number> => {
    const { sql, values } = countOf(filter, before);
    return (await prepared<{ calls: number }>(sql).first(...values))?.calls ?? 0;
  };
  const countInSteps = async (filter: CallFilter, before: string | undefined): Promise<number> => {
    let sum = 0;
    for await (const window of callWindows(prepared<Id>, filter, { before, size: steps.counted })) {
      sum += window.lowest === undefined ? await countAtOnce(filter, window.before) : steps.counted;
    }
    return sum;
  };
  return {
    byId: (id) => byId.first(id),
    ids: async (filter, page) => idsIn(filter, page, page),
    walk: async (filter, { skip, limit, before }) => {
      const found: string[] = [];
      const wanted = skip + limit;
      const all = { ...filter, status: undefined };
      for await (const window of callWindows(prepared<Id>, all, { before, size: steps.walked })) {
        found.push(...(await idsIn(filter, { skip: 0, limit: wanted - found.length }, window)));
        if (found.length >= wanted) break;
      }
      return found.slice(skip);
    },
    rows: async (ids, maxBytes) =>
      ids.length === 0 ? [] : rows.all(listOfIds(database.engine, ids), maxBytes),
    count: async (filter, before) => {
      if (database.engine === 'postgres') return countAtOnce(filter, before);
      if (!isDifference(filter)) return countInSteps(filter, before);
      let rest = await countInSteps({ ...filter, status: undefined }, before);
      for (const status of OTHERS) rest -= await countInSteps({ ...filter, status }, before);
      return rest;
    },
  };
}
