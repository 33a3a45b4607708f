import type { Grant, Taken } from './allowances.ts';

/** Whole seconds until a window ends, at least one. */
export function secondsUntilReset({ resetMs }: Grant): number {
  return Math.max(1, Math.ceil(resetMs / 1000));
}

/** The headers `RateLimit-Policy` and `RateLimit` of the IETF draft "RateLimit header fields for HTTP". */
export function limitHeaders(taken: readonly Taken[]): Record<string, string> {
  if (taken.length === 0) return {};
  return {
    'RateLimit-Policy': taken
      .map(({ limit: { name, requests, windowS } }) => `"${name}";q=${requests};w=${windowS}`)
      .join(', '),
    RateLimit: taken
      .map(({ limit, grant }) => `"${limit.name}";r=${grant.remaining};t=${secondsUntilReset(grant)}`)
      .join(', '),
  };
}
