import type { Destination } from './guard.ts';

/** A parsed URL. */
export interface Target extends Destination {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
}

const LONGEST_URL = 8192;
const UNTIDY = /[\u0000-\u0020\u007f\\]/;
const NOT_HTTP = 'The URL is not an absolute http or https URL.';

/**
 * Parses an http or https URL, or returns a sentence that says what is wrong with it. Refuses white space and backslashes,
 * which the URL parser would silently repair.
 */
export function targetOf(text: string): Target | string {
  if (text.length > LONGEST_URL || UNTIDY.test(text) || !/^https?:\/\/[^/]/i.test(text)) return NOT_HTTP;
  if (!URL.canParse(text)) return NOT_HTTP;
  const url = new URL(text);
  const authority = text.split(/[/?#]/, 3)[2] ?? '';
  if (authority.includes('@')) return 'The URL must not hold a user name or password.';
  const destination = destinationOf(url);
  if (destination.host === '') return NOT_HTTP;
  return { ...destination, origin: url.origin, path: `${url.pathname}${url.search}` };
}

/** The destination of a parsed http or https URL. */
export function destinationOf(url: URL): Destination {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { host: url.hostname.replace(/\.+$/, ''), port };
}
