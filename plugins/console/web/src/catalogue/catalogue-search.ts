import type { AlgorithmQuery } from '../api/queries.ts';

export const PAGE_SIZE = 24;

export const SORTS = ['name', '-created_at', '-updated_at'] as const;
export const STATUSES = ['active', 'deprecated', 'inactive'] as const;

/** What the address of the catalogue says; what is absent is not filtered. */
export interface CatalogueSearch {
  readonly q?: string | undefined;
  readonly type?: string | undefined;
  readonly status?: (typeof STATUSES)[number] | undefined;
  readonly sort?: (typeof SORTS)[number] | undefined;
  readonly page?: number | undefined;
}

/** Reads an address that anybody may have written: what makes no sense is left out. */
export function readCatalogueSearch(search: Record<string, unknown>): CatalogueSearch {
  const { q, type, page } = search;
  const isPage = typeof page === 'number' && Number.isInteger(page) && page > 1 && page < 100_000;
  return {
    q: textOf(q)?.slice(0, 200),
    type: textOf(type)?.slice(0, 100),
    status: STATUSES.find((status) => status === search['status']),
    sort: SORTS.find((sort) => sort === search['sort']),
    page: isPage ? page : undefined,
  };
}

/** The router reads `?q=42` as a number. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The request for what the address says. */
export function queryOf({ q, type, status, sort = 'name', page = 1 }: CatalogueSearch): AlgorithmQuery {
  return {
    sort,
    limit: PAGE_SIZE,
    skip: (page - 1) * PAGE_SIZE,
    ...(q !== undefined && { q }),
    ...(type !== undefined && { type: [type] }),
    ...(status !== undefined && { status }),
  };
}
