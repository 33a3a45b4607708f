import { RouteNotFound } from '../../errors/core-problems.ts';
import type { Step } from '../state.ts';
import { splitTarget } from './request-target.ts';

const ENCODED = /%[0-9a-f]{2}/gi;
const UNRESERVED = /^[A-Za-z0-9._~-]$/;
/** Empty and dot segments, NUL, and characters that a path cannot contain (RFC 3986, 3.3). */
const CONFUSING = /\/\/|\/\.{1,2}(\/|$)|%00|[^!-~]|#/;
/** Characters at which a URL parser would end the query or which it would encode. */
const CONFUSING_QUERY = /[^!-~]|#/g;

/** Normalises the target of a request for all later steps. Throws `RouteNotFound` for a path that no route can have. */
export const normaliseTarget: Step = (ctx, next) => {
  const { path, query } = splitTarget(ctx.originalUrl);
  const normal = normalizePath(path);
  if (normal === undefined) throw RouteNotFound(`Nothing is served at ${path.slice(0, 200)}.`);
  const search = query === '' ? '' : `?${query.replaceAll(CONFUSING_QUERY, encodeURIComponent)}`;
  if (normal + search !== ctx.url) ctx.url = normal + search;
  return next();
};

/**
 * The normalised path for routing, authorisation and limits; `undefined` for a path that no route
 * can have. Percent-encoded letters, digits and `-._~` are decoded (RFC 3986, 6.2.2.2) and one trailing slash is
 * dropped; empty and dot segments are never resolved, because a proxy may have read them differently.
 */
export function normalizePath(path: string): string | undefined {
  const decoded = path.includes('%') ? decodeUnreserved(path) : path;
  if (!decoded?.startsWith('/') || CONFUSING.test(decoded)) return undefined;
  return decoded.length > 1 && decoded.endsWith('/') ? decoded.slice(0, -1) : decoded;
}

function decodeUnreserved(path: string): string | undefined {
  try {
    decodeURIComponent(path);
  } catch {
    return undefined;
  }
  return path.replace(ENCODED, (encoded) => {
    const character = String.fromCharCode(parseInt(encoded.slice(1), 16));
    return UNRESERVED.test(character) ? character : encoded.toUpperCase();
  });
}
