import { isId, lowestIdAt, type Database, type PreparedRead, type SqlValue } from '../../core/index.ts';
import { callColumns, entryOf, recordOf, type CallRow } from './call-row.ts';
import type { CallFilter, CallLog, CallPage, CallStatistics } from './contract.ts';
import { splitByDays } from './whole-days.ts';

interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Reads records by statements written by hand; each combination of filters is prepared once. */
export function createCallLog(database: Database, statistics: CallStatistics): CallLog {
  const byId = database.read<CallRow>(`SELECT ${callColumns} FROM invocation_calls WHERE id = ?`);
  const statements = new Map<string, PreparedRead<never>>();
  const prepared = <Row>(sql: string): PreparedRead<Row> => {
    const statement = statements.get(sql) ?? database.read<never>(sql);
    statements.set(sql, statement);
    return statement as PreparedRead<Row>;
  };
  const row = async (id: string): Promise<CallRow | undefined> => (isId(id) ? byId.first(id) : undefined);
  const rows = (filter: CallFilter, page: CallPage): Promise<CallRow[]> => {
    const { sql, values } = conditionOf(filter, page.before);
    return prepared<CallRow>(
      `SELECT ${callColumns} FROM invocation_calls${sql} ORDER BY id DESC LIMIT ? OFFSET ?`,
    ).all(...values, page.limit, page.skip);
  };
  const countRows = async (filter: CallFilter): Promise<number> => {
    const { sql, values } = conditionOf(filter, undefined);
    const counted = await prepared<{ calls: number }>(
      `SELECT COUNT(*) AS calls FROM invocation_calls${sql}`,
    ).first(...values);
    return counted?.calls ?? 0;
  };

  return {
    find: async (id) => {
      const call = await row(id);
      return call && recordOf(call);
    },
    entry: async (id) => {
      const call = await row(id);
      return call && entryOf(call);
    },
    list: async (filter, page) => (await rows(filter, page)).map(recordOf),
    entries: async (filter, page) => (await rows(filter, page)).map(entryOf),
    count: (filter) => count(filter, statistics, countRows),
  };
}

/** Whole days come from the roll-ups, which cost the same at any number of records; only the rest is counted. */
async function count(
  filter: CallFilter,
  statistics: CallStatistics,
  countRows: (filter: CallFilter) => Promise<number>,
): Promise<number> {
  if (filter.versionId !== undefined) return countRows(filter);
  const { days, rest } = splitByDays(filter);
  const counts = rest.map((range) => countRows({ ...filter, ...range }));
  if (days) {
    const totals =
      days === 'all' ? statistics.totals(filter) : statistics.between(filter, days.from, days.to);
    const { status } = filter;
    counts.push(
      totals.then(({ total_calls, status_counts }) =>
        status === undefined ? total_calls : (status_counts[status] ?? 0),
      ),
    );
  }
  return (await Promise.all(counts)).reduce((sum, part) => sum + part, 0);
}

/** Bounds in time are bounds on the time-ordered ids, so that one index serves filter and order. */
function conditionOf(filter: CallFilter, before: string | undefined): Condition {
  const parts: string[] = [];
  const values: SqlValue[] = [];
  const add = (sql: string, value: SqlValue | undefined): void => {
    if (value === undefined) return;
    parts.push(sql);
    values.push(value);
  };
  add('user_id = ?', filter.userId);
  add('algorithm_id = ?', filter.algorithmId);
  add('version_id = ?', filter.versionId);
  add('status = ?', filter.status);
  // Repeats what the line above says, for the index of what did not succeed is chosen by this text.
  if (filter.status !== undefined && filter.status !== 'success') parts.push(`status <> 'success'`);
  add('id >= ?', filter.from === undefined ? undefined : lowestIdAt(filter.from));
  add('id < ?', filter.until === undefined ? undefined : lowestIdAt(filter.until));
  add('id < ?', before);
  return { sql: parts.length > 0 ? ` WHERE ${parts.join(' AND ')}` : '', values };
}
