import { readCallSearch, textIn, type CallSearch } from './calls/call-search.ts';
import { readDashboardSearch, type DashboardSearch } from './dashboard/dashboard-search.ts';

/** What the addresses of the screens may say. Anybody may have written them: what makes no sense is left out. */

export const TABS = ['about', 'api', 'versions', 'history', 'performance'] as const;
export type Tab = (typeof TABS)[number];

export const SHOWS = ['tree', 'raw', 'code'] as const;
export type Show = (typeof SHOWS)[number];

export interface AlgorithmSearch extends DashboardSearch, CallSearch {
  /** The playground where it is absent. */
  readonly tab?: Tab | undefined;
  /** The default version where it is absent. */
  readonly version?: string | undefined;
  /** A call whose input is entered at first. */
  readonly call?: string | undefined;
  /** An example whose input is entered at first; the default one where it is absent. */
  readonly example?: string | undefined;
  /** Whether figures are those of the version alone. */
  readonly only?: 'version' | undefined;
  /** How the result is shown: by what it is where it is absent. */
  readonly show?: Show | undefined;
}

export interface HistorySearch extends CallSearch {
  readonly algorithm?: string | undefined;
}

type Search = Record<string, unknown>;

export function readAlgorithmSearch(search: Search): AlgorithmSearch {
  return {
    tab: TABS.find((tab) => tab === search['tab']),
    version: textIn(search, 'version'),
    call: textIn(search, 'call'),
    example: textIn(search, 'example'),
    only: search['only'] === 'version' ? 'version' : undefined,
    ...readCallSearch(search),
    ...readDashboardSearch(search),
    show: SHOWS.find((show) => show === search['show']),
  };
}

export function readHistorySearch(search: Search): HistorySearch {
  return {
    ...readCallSearch(search),
    algorithm: textIn(search, 'algorithm'),
  };
}

export interface RecordSearch {
  /** A call that the one of the page is compared with. */
  readonly with?: string | undefined;
  /** How the output is shown: by what it is where it is absent. */
  readonly show?: 'tree' | 'raw' | undefined;
}

export function readRecordSearch(search: Search): RecordSearch {
  return {
    with: textIn(search, 'with'),
    show: (['tree', 'raw'] as const).find((show) => show === search['show']),
  };
}

/** Whether keys are listed that work no longer. */
export function readKeysSearch(search: Search): { readonly ended?: true | undefined } {
  return { ended: search['ended'] === true ? true : undefined };
}

/** Where to go afterwards: a path of the console, never an address elsewhere. */
export function readNext(search: Search): { readonly next?: string | undefined } {
  const next = textIn(search, 'next');
  return { next: next && /^\/(?![/\\])/.test(next) ? next : undefined };
}
