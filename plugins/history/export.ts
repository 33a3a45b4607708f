import { Readable } from 'node:stream';
import { token, type UserPrincipal } from '../../core/index.ts';
import type { CallEntry, CallFilter, CallLog, CallRecord } from '../invocation/contract.ts';
import { csvLine } from './csv.ts';
import { filterOf } from './history.ts';
import type { ExportFormat, HistoryFilter } from './schemas.ts';

/** Records that are read at once; fewer where they are large. */
const PAGE = 500;

/** Writes all of a caller's own calls that match, newest first. */
export interface HistoryExport {
  /** Reads page by page, as fast as the text is taken, and no further when the stream is destroyed. Throws `ValidationFailed`. */
  of(principal: UserPrincipal, format: ExportFormat, query: HistoryFilter): Readable;
}

export const HISTORY_EXPORT = token<HistoryExport>('history:export');

export function createHistoryExport({ calls }: { readonly calls: CallLog }): HistoryExport {
  return {
    of: (principal, format, query) =>
      Readable.from(FORMATS[format](pagesOf(calls, filterOf(principal, query)))),
  };
}

/** Each page continues after the last record of the one before, so the last one is as fast as the first. */
async function* pagesOf(calls: CallLog, filter: CallFilter): AsyncGenerator<readonly CallEntry[]> {
  for (let before: string | undefined; ;) {
    const { entries, isCut } = await calls.entries(filter, { skip: 0, limit: PAGE, before });
    if (entries.length > 0) yield entries;
    if (entries.length < PAGE && !isCut) return;
    before = entries.at(-1)!.id;
  }
}

type Pages = AsyncIterable<readonly CallEntry[]>;

const FORMATS: Readonly<Record<ExportFormat, (pages: Pages) => AsyncGenerator<string>>> = {
  csv: async function* (pages) {
    // With a byte order mark, spreadsheets read it as UTF-8.
    yield `\uFEFF${csvLine(COLUMNS)}`;
    for await (const entries of pages)
      yield entries.map(({ json }) => rowOf(JSON.parse(json) as CallRecord)).join('');
  },
  ndjson: async function* (pages) {
    for await (const entries of pages) yield entries.map(({ json }) => `${json}\n`).join('');
  },
};

const COLUMNS = [
  'id',
  'created_at',
  'status',
  'algorithm_id',
  'version_id',
  'response_time',
  'error_code',
  'error_message',
  'request_id',
  'input_data',
  'params',
  'output_data',
] as const satisfies readonly (keyof CallRecord)[];

function rowOf(call: CallRecord): string {
  return csvLine(
    COLUMNS.map((column) => {
      const value = call[column];
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    }),
  );
}
