import { isRaw, type Route } from './routing/route.ts';
import { shapeOf, typesOf } from './validation/schema-shape.ts';

/** The headers of every list, described for the OpenAPI document. */
export const LIST_HEADERS = {
  'X-Total-Count': 'How many entries there are, on all pages together.',
  Link: 'Where other pages are (RFC 8288): `first`, `last`, and `prev` and `next` where there are any; `next` by cursor where the list has one.',
};

/** Whether an operation answers a list: an array, or an object with a `total`. */
export function isList({ method, answers }: Pick<Route, 'method' | 'answers'>): boolean {
  if (method !== 'GET' || isRaw(answers)) return false;
  const shape = shapeOf(answers);
  return typesOf(shape).includes('array') || shape.properties?.['total'] !== undefined;
}

/** The length of a list on all pages; undefined where the answer does not tell, as an array that is only a page. */
export function totalOf(answer: unknown, query: unknown): number | undefined {
  const isPaged = (query as { readonly skip?: number } | undefined)?.skip !== undefined;
  if (Array.isArray(answer)) return isPaged ? undefined : answer.length;
  const { total } = (answer ?? {}) as { readonly total?: unknown };
  return typeof total === 'number' ? total : undefined;
}

/** The cursor of the next page; undefined where there is none, or the list has no cursors. */
export function nextCursorOf(answer: unknown): string | undefined {
  const { next_cursor: cursor } = (answer ?? {}) as { readonly next_cursor?: unknown };
  return typeof cursor === 'string' ? cursor : undefined;
}

/** Where a list is found, and which part of it was asked for. */
export interface ListPlace {
  /** The address of the list, without the query. */
  readonly address: string;
  readonly querystring: string;
  /** The values of the query. */
  readonly query: unknown;
}

/**
 * The values of `LIST_HEADERS`. A page that begins at a cursor has no number, so only the first one is linked then, and
 * the next one by its cursor.
 */
export function listHeaders(
  { address, querystring, query }: ListPlace,
  total: number,
  nextCursor?: string,
): Readonly<Record<keyof typeof LIST_HEADERS, string>> {
  const { skip = 0, limit, cursor } = (query ?? {}) as { skip?: number; limit?: number; cursor?: string };
  const shared = withoutPaging(querystring);
  const link = (relation: string, start: string): string => {
    const parts = [shared, start, limit === undefined ? '' : `limit=${limit}`];
    const search = parts.filter((part) => part !== '').join('&');
    return `<${address}${search && `?${search}`}>; rel="${relation}"`;
  };
  const links = Object.entries(pages(skip, limit ?? Infinity, total))
    .filter(([relation]) => cursor === undefined || relation === 'first')
    .filter(([relation]) => nextCursor === undefined || relation !== 'next')
    .map(([relation, start]) => link(relation, limit === undefined ? '' : `skip=${start}`));
  if (nextCursor !== undefined) links.push(link('next', `cursor=${encodeURIComponent(nextCursor)}`));
  return { 'X-Total-Count': String(total), Link: links.join(', ') };
}

/** The relations of a page to others, each with the number of entries before it. */
function pages(skip: number, limit: number, total: number): Readonly<Record<string, number>> {
  const last = total > limit ? (Math.ceil(total / limit) - 1) * limit : 0;
  return {
    first: 0,
    ...(skip > 0 && { prev: Math.max(0, Math.min(skip - limit, last)) }),
    ...(skip + limit < total && { next: skip + limit }),
    last,
  };
}

const PAGING = ['cursor', 'skip', 'limit'];

/** The part of the query that all pages share, as it was sent: `facets` alone says something else than `facets=`. */
function withoutPaging(querystring: string): string {
  const isShared = (part: string): boolean => {
    const values = new URLSearchParams(part);
    return part !== '' && !PAGING.some((name) => values.has(name));
  };
  return querystring.split('&').filter(isShared).join('&').replaceAll(/[<>]/g, encodeURIComponent);
}
