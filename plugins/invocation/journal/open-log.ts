import { isId, type Database, type PreparedRead, type SqlValue } from '../../../core/index.ts';
import { conditionOf } from '../reading/call-condition.ts';
import { entryOf, type CallRow } from '../recording/call-row.ts';
import type { CallEntries, CallEntry, CallFilter, CallLog, CallPage, CallRecord } from '../contract.ts';
import { OPEN_CALL_COLUMNS } from './open-calls.ts';

/** Bytes of open calls in one answer; a single call may be larger. */
const MAX_BYTES = 16_777_216;

/** Adds the open calls to a log of ended ones. */
export function withOpenCalls(log: CallLog, database: Database): CallLog {
  const prepared = <Row>(sql: string): PreparedRead<Row> => database.read<Row>(sql);
  const byId = prepared<CallRow>(`SELECT ${OPEN_CALL_COLUMNS} FROM invocation_open_calls WHERE id = ?`);
  const statements = new Map<string, PreparedRead<never>>();
  const read = <Row>(columns: string, filter: CallFilter, before: string | undefined, end: string) => {
    const { sql, values } = conditionOf(filter, { before });
    const text = `SELECT ${columns} FROM invocation_open_calls${sql}${end}`;
    const statement = statements.get(text) ?? database.read<never>(text);
    statements.set(text, statement);
    return (...more: SqlValue[]) => (statement as PreparedRead<Row>).all(...values, ...more);
  };

  const entry = async (id: string): Promise<CallEntry | undefined> => {
    if (!isId(id)) return undefined;
    const ended = await log.entry(id);
    if (ended) return ended;
    const open = await byId.first(id);
    // The call may have ended between the two reads.
    return open ? entryOf(open) : log.entry(id);
  };

  const entries = async (filter: CallFilter, page: CallPage): Promise<CallEntries> => {
    const { skip, limit, before } = page;
    const open = await read<{ id: string }>('id', filter, before, ' ORDER BY id DESC LIMIT ?')(skip + limit);
    if (open.length === 0) return log.entries(filter, page);
    const ids = open.map(({ id }) => id);
    // At most this many of the skipped calls are open.
    const start = Math.max(0, skip - ids.length);
    let toSkip = skip - start;
    let part: CallPage = { skip: start, limit: toSkip + limit, before };
    for (;;) {
      const ended = await log.entries(filter, part);
      const last = ended.isCut ? ended.entries.at(-1)!.id : '';
      const merged = mergedOf(ended.entries, ids, part.before, last);
      if (merged.length > toSkip || !ended.isCut) {
        return whole(merged.slice(toSkip, toSkip + limit), ended.isCut, limit);
      }
      toSkip -= merged.length;
      part = { skip: 0, limit: part.limit - ended.entries.length, before: last };
    }
  };

  /** Reads the open calls for their ids, as many as fit into one answer. */
  const whole = async (
    merged: readonly (CallEntry | string)[],
    isCut: boolean,
    limit: number,
  ): Promise<CallEntries> => {
    const found: CallEntry[] = [];
    let bytes = 0;
    for (const [index, item] of merged.entries()) {
      const known = typeof item === 'string' ? await entry(item) : item;
      if (!known) continue;
      found.push(known);
      if (typeof item === 'string') bytes += known.json.length;
      if (bytes >= MAX_BYTES && index < merged.length - 1) return { entries: found, isCut: true };
    }
    return { entries: found, isCut: isCut && merged.length < limit };
  };

  return {
    entry,
    entries,
    find: async (id) => {
      const found = await entry(id);
      return found && (JSON.parse(found.json) as CallRecord);
    },
    list: async (filter, { skip, limit, before }) => {
      const records: CallRecord[] = [];
      let page: CallPage = { skip, limit, before };
      for (;;) {
        const { entries: some, isCut } = await entries(filter, page);
        records.push(...some.map(({ json }) => JSON.parse(json) as CallRecord));
        if (!isCut) return records;
        page = { skip: 0, limit: limit - records.length, before: some.at(-1)!.id };
      }
    },
    count: async (filter) => {
      const [ended, [open]] = await Promise.all([
        log.count(filter),
        read<{ calls: number }>('COUNT(*) AS calls', filter, undefined, '')(),
      ]);
      return ended + open!.calls;
    },
  };
}

/** Merges entries with the ids of open calls between two bounds, newest first. */
function mergedOf(
  entries: readonly CallEntry[],
  ids: readonly string[],
  before: string | undefined,
  last: string,
): readonly (CallEntry | string)[] {
  const ended = new Set(entries.map(({ id }) => id));
  const open = ids.filter((id) => !ended.has(id) && id > last && (before === undefined || id < before));
  const idOf = (item: CallEntry | string): string => (typeof item === 'string' ? item : item.id);
  return [...entries, ...open].sort((a, b) => (idOf(a) < idOf(b) ? 1 : -1));
}
