import { isId, type Database } from '../../../core/index.ts';
import type { CallLog, CallPage, CallRecord } from '../contract.ts';
import { callColumns, entryOf, recordOf, type CallRow } from '../recording/call-row.ts';
import { createCallCount } from './call-count.ts';
import { createCallPages } from './call-pages.ts';

/** Bytes of JSON that one read returns; a single record may be larger. */
const MAX_BYTES = 16_777_216;

/**
 * Makes the log of ended and open calls, with hand-written statements that are prepared once per combination of
 * filters.
 */
export function createCallLog(database: Database, maxBytes: number = MAX_BYTES): CallLog {
  const selectFrom = (table: string): string => `SELECT ${callColumns.join(', ')} FROM ${table} WHERE id = ?`;
  const byId = database.read<CallRow>(
    `${selectFrom('invocation_calls')} UNION ALL ${selectFrom('invocation_open_calls')}`,
  );
  const pages = createCallPages(database);
  const one = async (id: string): Promise<CallRow | undefined> => (isId(id) ? byId.first(id, id) : undefined);
  return {
    find: async (id) => {
      const call = await one(id);
      return call && recordOf(call);
    },
    entry: async (id) => {
      const call = await one(id);
      return call && entryOf(call);
    },
    entries: async (filter, page) => {
      const { rows, isCut } = await pages(filter, page, maxBytes);
      return { entries: rows.map(entryOf), isCut };
    },
    list: async (filter, { skip, limit, before }) => {
      const records: CallRecord[] = [];
      let page: CallPage = { skip, limit, before };
      for (;;) {
        const { rows, isCut } = await pages(filter, page, maxBytes);
        records.push(...rows.map(recordOf));
        if (!isCut) return records;
        page = { skip: 0, limit: limit - records.length, before: rows.at(-1)!.id };
      }
    },
    count: createCallCount(database),
  };
}
