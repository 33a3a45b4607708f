const BEARER = /^bearer(?: |$)/i;

/** What follows `Bearer` in a header `Authorization`; empty where nothing does, undefined under another scheme. */
export function bearerIn(authorization: string | undefined): string | undefined {
  if (authorization === undefined || !BEARER.test(authorization)) return undefined;
  return authorization.slice('bearer '.length).trim();
}
