import { lowestIdAt, type Database, type PreparedRead, type SqlValue } from '../../core/index.ts';
import { callColumns, type CallRow } from './call-row.ts';
import type { CallFilter, CallPage } from './contract.ts';

/** A record, and the bytes of JSON in it and all before it on its page. */
export interface SizedRow extends CallRow {
  readonly bytes: number;
}

/** The statements behind the call log. */
export interface CallReads {
  byId(id: string): Promise<CallRow | undefined>;
  /** Newest first; ends with the record that reaches `maxBytes`. */
  page(filter: CallFilter, page: CallPage, maxBytes: number): Promise<SizedRow[]>;
  count(filter: CallFilter): Promise<number>;
}

const SIZE = ['input_data', 'params', 'output_data']
  .map((column) => `COALESCE(octet_length(s.${column}), 0)`)
  .join(' + ');
const columnsOfCall = callColumns.map((column) => `c.${column}`).join(', ');

/**
 * The page is found in an index alone, which makes passing over entries cheap; then sizes are read from the heads of its
 * rows, and only the rows that fit are read whole.
 */
const pageSql = (condition: string): string => `
  SELECT ${columnsOfCall}, p.bytes FROM (
    SELECT id, size, SUM(size) OVER (ORDER BY id DESC) AS bytes FROM (
      SELECT s.id, ${SIZE} AS size FROM (
        SELECT id FROM invocation_calls${condition} ORDER BY id DESC LIMIT ? OFFSET ?
      ) AS found JOIN invocation_calls s ON s.id = found.id
    ) AS sized
  ) AS p JOIN invocation_calls c ON c.id = p.id
  WHERE p.bytes - p.size < ? ORDER BY c.id DESC`;

export function createCallReads(database: Database): CallReads {
  const statements = new Map<string, PreparedRead<never>>();
  const prepared = <Row>(sql: string): PreparedRead<Row> => {
    const statement = statements.get(sql) ?? database.read<never>(sql);
    statements.set(sql, statement);
    return statement as PreparedRead<Row>;
  };
  const byId = prepared<CallRow>(`SELECT ${callColumns.join(', ')} FROM invocation_calls WHERE id = ?`);
  return {
    byId: (id) => byId.first(id),
    page: (filter, { skip, limit, before }, maxBytes) => {
      const { sql, values } = conditionOf(filter, before);
      return prepared<SizedRow>(pageSql(sql)).all(...values, limit, skip, maxBytes);
    },
    count: async (filter) => {
      const { sql, values } = conditionOf(filter, undefined);
      const statement = prepared<{ calls: number }>(`SELECT COUNT(*) AS calls FROM invocation_calls${sql}`);
      return (await statement.first(...values))?.calls ?? 0;
    },
  };
}

interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
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
