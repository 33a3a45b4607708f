const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** The path of a request target, as the client sent it. */
export function targetPath(target: string): string {
  return splitTarget(target).path;
}

/** Splits a request target into path and query string; the absolute form (RFC 9112, 3.2.2) loses its authority. */
export function splitTarget(target: string): { path: string; query: string } {
  const relative = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  const mark = relative.indexOf('?');
  return mark < 0
    ? { path: relative, query: '' }
    : { path: relative.slice(0, mark), query: relative.slice(mark + 1) };
}
