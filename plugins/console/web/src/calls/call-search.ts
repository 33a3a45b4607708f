import type { HistoryQuery } from '../api/queries.ts';
import { isCustom, momentsOf, readPeriod, type Period, type Range } from '../periods/period.ts';

export const CALL_STATUSES = ['success', 'failed', 'running'] as const;
export const CALL_RANGES: readonly Range[] = ['24h', '7d', '30d', '90d'];
const PAGE_SIZE = 25;

/** What the address of a list of calls says; what is absent is not filtered. */
export interface CallSearch extends Period {
  readonly status?: string | undefined;
  /** Where the page begins; the newest call where it is absent. */
  readonly cursor?: string | undefined;
  /** The call that is open beside the list. */
  readonly open?: string | undefined;
}

export function readCallSearch(search: Readonly<Record<string, unknown>>): CallSearch {
  return {
    ...readPeriod(search),
    status: CALL_STATUSES.find((status) => status === search['status']),
    cursor: textIn(search, 'cursor'),
    open: textIn(search, 'open'),
  };
}

/** A text of an address; `undefined` where it is empty or missing. */
export function textIn(search: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = search[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether the address shows a part of the calls. */
export function isFiltered(search: CallSearch): boolean {
  return (search.status ?? search.range ?? search.cursor) !== undefined || isCustom(search);
}

/** The filters of a list, for a page of it or for all of it as a file. */
export function filtersOf(search: CallSearch, algorithm: string | undefined): HistoryQuery {
  return {
    ...momentsOf(search),
    ...(search.status !== undefined && { status: search.status }),
    ...(algorithm !== undefined && { algorithm_id: algorithm }),
  };
}

export function pageOf(search: CallSearch, algorithm: string | undefined): HistoryQuery {
  const { cursor } = search;
  return { ...filtersOf(search, algorithm), limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) };
}
