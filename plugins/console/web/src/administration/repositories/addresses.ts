import { textIn } from '../../calls/call-search.ts';
import { pageIn, wordsIn, type Paged, type Search } from '../addresses.ts';

export const REPOSITORY_STATUSES = ['active', 'archived'] as const;

/** What the address of the list of repositories may say. */
export interface RepositoriesSearch extends Paged {
  readonly q?: string | undefined;
  readonly status?: (typeof REPOSITORY_STATUSES)[number] | undefined;
  readonly algorithm?: string | undefined;
  /** The repository that is being edited. */
  readonly open?: string | undefined;
}

export function readRepositoriesSearch(search: Search): RepositoriesSearch {
  return {
    q: wordsIn(search),
    status: REPOSITORY_STATUSES.find((status) => status === search['status']),
    algorithm: textIn(search, 'algorithm'),
    page: pageIn(search),
    open: textIn(search, 'open'),
  };
}
