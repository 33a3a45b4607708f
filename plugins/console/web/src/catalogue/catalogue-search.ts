import type { AlgorithmQuery } from '../api/queries.ts';

export const STATUSES = ['active', 'deprecated', 'inactive'] as const;
export type Status = (typeof STATUSES)[number];

export const CHECKS = ['working', 'broken', 'unchecked'] as const;
export type CheckState = (typeof CHECKS)[number];

export const SORTS = [
  'name',
  '-name',
  '-created_at',
  'created_at',
  '-updated_at',
  'updated_at',
  '-calls',
  'calls',
  '-success',
  'success',
] as const;
export type Sort = (typeof SORTS)[number];

export const SIZES = [24, 48, 96] as const;

/** What the address of the catalogue says; what is absent is not filtered. */
export interface CatalogueSearch {
  readonly q?: string | undefined;
  /** Any of these. */
  readonly type?: readonly string[] | undefined;
  /** Any of these. */
  readonly status?: readonly Status[] | undefined;
  /** Any of these. */
  readonly check?: readonly CheckState[] | undefined;
  /** All of these. */
  readonly tags?: readonly string[] | undefined;
  readonly sort?: Sort | undefined;
  /** Cards where it is absent. */
  readonly view?: 'table' | undefined;
  readonly page?: number | undefined;
  readonly size?: (typeof SIZES)[number] | undefined;
}

export const FACETS = ['type', 'status', 'check', 'tags'] as const;
export type Facet = (typeof FACETS)[number];

/** Reads an address that anybody may have written: what makes no sense is left out. */
export function readCatalogueSearch(search: Record<string, unknown>): CatalogueSearch {
  const { q, page } = search;
  const isPage = typeof page === 'number' && Number.isInteger(page) && page > 1 && page < 100_000;
  const statuses = textsOf(search['status'], 20);
  const checks = textsOf(search['check'], 20);
  return {
    q: textOf(q)?.slice(0, 200),
    type: someOf(textsOf(search['type'], 100).slice(0, 50)),
    status: someOf(STATUSES.filter((status) => statuses.includes(status))),
    check: someOf(CHECKS.filter((state) => checks.includes(state))),
    tags: someOf(textsOf(search['tags'], 50).slice(0, 20)),
    sort: SORTS.find((sort) => sort === search['sort']),
    view: search['view'] === 'table' ? 'table' : undefined,
    page: isPage ? page : undefined,
    size: SIZES.slice(1).find((size) => size === search['size']),
  };
}

/** The router reads `?q=42` as a number. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A name that occurs once is read as a text, and one that is repeated as a list. */
function textsOf(value: unknown, longest: number): string[] {
  const texts = (Array.isArray(value) ? value : [value]).flatMap((each) => textOf(each) ?? []);
  return [...new Set(texts.map((each) => each.slice(0, longest)))];
}

function someOf<T>(list: T[]): T[] | undefined {
  return list.length > 0 ? list : undefined;
}

/** The one request for all that a page of the catalogue shows. */
export function queryOf(search: CatalogueSearch): AlgorithmQuery {
  const { q, type, status, check, tags, sort = 'name', page = 1, size = SIZES[0] } = search;
  return {
    sort,
    limit: size,
    skip: (page - 1) * size,
    facets: true,
    stats: true,
    ...(q !== undefined && { q }),
    ...(type && { type: [...type] }),
    ...(status && { status: [...status] }),
    ...(check && { check: [...check] }),
    ...(tags && { tags: [...tags] }),
  };
}

/** The search with a value of a facet selected, or no more where it was. It begins with its first page. */
export function toggled(search: CatalogueSearch, facet: Facet, value: string): CatalogueSearch {
  const before: readonly string[] = search[facet] ?? [];
  const after = before.includes(value) ? before.filter((each) => each !== value) : [...before, value];
  return { ...search, page: undefined, [facet]: someOf(after) };
}

/** One thing that the list is filtered by, and the search without it. */
export interface ActiveFilter {
  readonly by: Facet | 'q';
  readonly value: string;
  readonly without: CatalogueSearch;
}

export function activeFilters(search: CatalogueSearch): readonly ActiveFilter[] {
  const chosen = FACETS.flatMap((by) =>
    (search[by] ?? []).map((value) => ({ by, value, without: toggled(search, by, value) })),
  );
  if (search.q === undefined) return chosen;
  return [{ by: 'q', value: search.q, without: { ...search, page: undefined, q: undefined } }, ...chosen];
}

/** What stays when all filters are taken away. */
export function unfiltered({ view, sort, size }: CatalogueSearch): CatalogueSearch {
  return { view, sort, size };
}
