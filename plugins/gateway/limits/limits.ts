import type { NamedLimit } from '../rules/rule-book.ts';
import type { Allowances, Grant } from './allowances.ts';

/** Takes a request from each limit. When one is used up, it is the last of the result, and nothing is taken. */
export async function takeAll(
  allowances: Allowances,
  limits: readonly NamedLimit[],
): Promise<readonly Taken[]> {
  const taken: Taken[] = [];
  for (const limit of limits) {
    const grant = await allowances.take(limit);
    if (!grant.allowed) return [...giveBackAll(allowances, taken), { limit, grant }];
    taken.push({ limit, grant });
  }
  return taken;
}

/** Returns requests that were taken and not made; answers the updated grants. */
export function giveBackAll(allowances: Allowances, taken: readonly Taken[]): readonly Taken[] {
  return taken.map(({ limit, grant }) => ({ limit, grant: allowances.giveBack(limit, grant) }));
}

/** A limit, and its grant for a request. */
export interface Taken {
  readonly limit: NamedLimit;
  readonly grant: Grant;
}

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
