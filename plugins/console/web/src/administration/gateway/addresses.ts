import { textIn } from '../../calls/call-search.ts';
import { pageIn, type Paged, type Search } from '../addresses.ts';

/** What the addresses of the screens of the gateway may say. */

export const BLOCK_FILTERS = ['active', 'ended', 'all'] as const;

export interface PoliciesSearch extends Paged {
  /** The policy that is being edited. */
  readonly open?: string | undefined;
}

export function readPoliciesSearch(search: Search): PoliciesSearch {
  return { page: pageIn(search), open: textIn(search, 'open') };
}

export interface BlocksSearch extends Paged {
  /** Those in effect where it is absent. */
  readonly show?: (typeof BLOCK_FILTERS)[number] | undefined;
  /** The block that is being edited. */
  readonly open?: string | undefined;
}

export function readBlocksSearch(search: Search): BlocksSearch {
  return {
    show: BLOCK_FILTERS.find((show) => show === search['show']),
    page: pageIn(search),
    open: textIn(search, 'open'),
  };
}

export function readCircuitsSearch(search: Search): Paged {
  return { page: pageIn(search) };
}

/** The call that the gateway is asked about; without a user it is a call of the reader. */
export interface CheckSearch {
  readonly user?: string | undefined;
  readonly key?: string | undefined;
  readonly algorithm?: string | undefined;
  readonly version?: string | undefined;
  readonly address?: string | undefined;
}

export function readCheckSearch(search: Search): CheckSearch {
  return {
    user: textIn(search, 'user'),
    key: textIn(search, 'key'),
    algorithm: textIn(search, 'algorithm'),
    version: textIn(search, 'version'),
    address: textIn(search, 'address'),
  };
}
