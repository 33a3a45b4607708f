const BEARER = /^bearer(?: |$)/i;

/** The token after `Bearer` in a header `Authorization`; empty when it is missing, undefined for another scheme. */
export function bearerIn(authorization: string | undefined): string | undefined {
  if (authorization === undefined || !BEARER.test(authorization)) return undefined;
  return authorization.slice('bearer '.length).trim();
}
