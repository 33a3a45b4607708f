import { Readable } from 'node:stream';
import { cursorOf, dateRange, idIn, token, type UserPrincipal } from '../../core/index.ts';
import {
  AlgorithmNotCovered,
  demandCovered,
  type CallEntries,
  type CallFilter,
  type CallLog,
} from '../invocation/contract.ts';
import { pagesOf } from './export.ts';
import type { HistoryFilter, HistoryQuery } from './schemas.ts';

/** A page of records, and how many match in all. */
export interface HistoryPage {
  readonly content: string | Readable;
  readonly total: number;
  /** Unknown for a stream, which is still to be read. */
  readonly nextCursor: string | undefined;
}

/** Shows callers their own calls. */
export interface History {
  /**
   * A page of the caller's records as the JSON of a `HistoryAnswer`; a stream when it is too large for memory. Throws
   * `ValidationFailed`.
   */
  page(principal: UserPrincipal, query: HistoryQuery): Promise<HistoryPage>;
  /** All of the caller's records that match, newest first, in pages of JSON. Throws `ValidationFailed`. */
  export(principal: UserPrincipal, query: HistoryFilter): AsyncIterable<readonly string[]>;
}

export const HISTORY = token<History>('history:history');

export function createHistory({ calls }: { readonly calls: CallLog }): History {
  return {
    page: async (principal, query) => {
      const filter = filterOf(principal, query);
      // Reads one more entry to find out whether there is another page.
      const page = { skip: query.skip, limit: query.limit + 1, before: idIn(query.cursor) };
      const [first, total] = await Promise.all([calls.entries(filter, page), calls.count(filter)]);
      const writer = new PageWriter(query, total);
      if (first.isCut) {
        return {
          content: Readable.from(written(writer, first, calls, filter)),
          total,
          nextCursor: undefined,
        };
      }
      const content = writer.begin() + writer.add(first) + writer.end();
      return { content, total, nextCursor: writer.nextCursor };
    },
    export: (principal, query) => pagesOf(calls, filterOf(principal, query)),
  };
}

/** The caller's own calls that a query asks for. Throws `ValidationFailed` and `AlgorithmNotCovered`. */
function filterOf(principal: UserPrincipal, query: HistoryFilter): CallFilter {
  const algorithmId = algorithmOf(principal, query.algorithm_id);
  return { userId: principal.userId, algorithmId, status: query.status, ...dateRange(query) };
}

/** A credential that is restricted to one algorithm asks for its calls, and one for several must say of which. */
function algorithmOf(principal: UserPrincipal, named: string | undefined): string | undefined {
  if (named !== undefined) demandCovered(principal.resources, named, `algorithm "${named}"`);
  if (named !== undefined || principal.resources === undefined) return named;
  const [only, ...others] = principal.resources;
  if (only !== undefined && others.length === 0) return only;
  throw AlgorithmNotCovered(
    'The API key is restricted to several algorithms. Name one of them as `algorithm_id` to see its calls.',
  );
}

/** The page in parts, which are read and written one after another. */
async function* written(
  writer: PageWriter,
  first: CallEntries,
  calls: CallLog,
  filter: CallFilter,
): AsyncGenerator<string> {
  yield writer.begin();
  for (let piece = first; ; piece = await calls.entries(filter, writer.rest)) {
    yield writer.add(piece);
    if (!piece.isCut) break;
  }
  yield writer.end();
}

/** Writes a page as JSON text from entries that are JSON text. */
class PageWriter {
  readonly #query: HistoryQuery;
  readonly #total: number;
  #count = 0;
  #last = '';
  #hasMore = false;

  constructor(query: HistoryQuery, total: number) {
    this.#query = query;
    this.#total = total;
  }

  /** The rest of the page, which is still to be read. */
  get rest(): { readonly skip: number; readonly limit: number; readonly before: string } {
    return { skip: 0, limit: this.#query.limit + 1 - this.#count, before: this.#last };
  }

  /** The cursor after what was added; undefined on the last page. */
  get nextCursor(): string | undefined {
    return this.#hasMore ? cursorOf(this.#last) : undefined;
  }

  begin(): string {
    return '{"history":[';
  }

  add({ entries }: CallEntries): string {
    const shown = entries.slice(0, this.#query.limit - this.#count);
    this.#hasMore = shown.length < entries.length;
    const comma = this.#count > 0 && shown.length > 0 ? ',' : '';
    this.#count += shown.length;
    this.#last = shown.at(-1)?.id ?? this.#last;
    return comma + shown.map(({ json }) => json).join(',');
  }

  end(): string {
    const { skip, limit } = this.#query;
    const next_cursor = this.nextCursor ?? null;
    return `],${JSON.stringify({ count: this.#count, skip, limit, total: this.#total, next_cursor }).slice(1)}`;
  }
}
