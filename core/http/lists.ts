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
  place: ListPlace,
  total: number,
  nextCursor?: string,
): Readonly<Record<keyof typeof LIST_HEADERS, string>> {
  const { skip, limit, cursor } = (place.query ?? {}) as { skip?: number; limit?: number; cursor?: string };
  const addressAt = addressesOf(place, limit);
  const numbered = pages(skip ?? 0, limit ?? Infinity, total)
    .filter(([relation]) => cursor === undefined || relation === 'first')
    .filter(([relation]) => nextCursor === undefined || relation !== 'next')
    .map(([relation, start]) => link(relation, addressAt(`skip=${start}`)));
  const next =
    nextCursor === undefined
      ? []
      : [link('next', addressAt(`${new URLSearchParams({ cursor: nextCursor })}`))];
  return { 'X-Total-Count': String(total), Link: [...numbered, ...next].join(', ') };
}

function link(relation: string, address: string): string {
  return `<${address}>; rel="${relation}"`;
}

/** The relations of a page to others, each with the number of entries before it. */
function pages(skip: number, limit: number, total: number): (readonly [string, number])[] {
  const last = total > limit ? (Math.ceil(total / limit) - 1) * limit : 0;
  return [
    ['first', 0],
    ...(skip > 0 ? [['prev', Math.max(0, Math.min(skip - limit, last))] as const] : []),
    ...(skip + limit < total ? [['next', skip + limit] as const] : []),
    ['last', last],
  ];
}

/** The addresses of pages, by where they begin. The rest of the query, which all pages share, is written once. */
function addressesOf(
  { address, querystring }: ListPlace,
  limit: number | undefined,
): (start: string) => string {
  const shared = PAGING_ONLY.test(querystring) ? '' : withoutPaging(querystring);
  return (start) => {
    const parts = [shared, ...(limit === undefined ? [] : [start, `limit=${limit}`])];
    const query = parts.filter((part) => part !== '').join('&');
    return query === '' ? address : `${address}?${query}`;
  };
}

/** Most lists are asked for without a filter: taking such a query apart would cost a twentieth of the request. */
const PAGING_ONLY = /^(?:(?:cursor|skip|limit)=[^&]*(?:&|$))*$/;

function withoutPaging(querystring: string): string {
  const values = new URLSearchParams(querystring);
  for (const name of ['cursor', 'skip', 'limit']) values.delete(name);
  return values.toString();
}
