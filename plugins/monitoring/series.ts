import { isoTime, token, type UserPrincipal, type Type } from '../../core/index.ts';
import { demandManager, type AlgorithmRights, type Catalogue } from '../catalogue/contract.ts';
import type { CallerTotals, CallSeries, CallSeriesAnswer, SeriesQuery } from '../invocation/contract.ts';
import type { Accounts } from '../users/contract.ts';
import { mean, percent } from './percent.ts';
import { noCalls } from './problems.ts';
import type { CallersAnswer, CallersQuery } from './schemas.ts';

/**
 * Shows how all calls, or those of an algorithm, performed over time, to administrators and those who manage it. Throws
 * `Forbidden`, `AlgorithmNotFound`, `PerformanceUnavailable` and `ValidationFailed`.
 */
export interface Series {
  of(principal: UserPrincipal, query: SeriesQuery): Promise<CallSeriesAnswer>;
  /** Who called most. */
  callers(principal: UserPrincipal, query: CallersQuery): Promise<Type.Static<typeof CallersAnswer>>;
}

export const SERIES = token<Series>('monitoring:series');

interface SeriesDeps {
  readonly catalogue: Catalogue | undefined;
  readonly rights: AlgorithmRights | undefined;
  readonly calls: CallSeries | undefined;
  readonly accounts: Accounts | undefined;
}

export function createSeries({ catalogue, rights, calls, accounts }: SeriesDeps): Series {
  const allowed = async (principal: UserPrincipal, { algorithm_id }: SeriesQuery): Promise<CallSeries> => {
    if (!catalogue || !rights || !calls) throw noCalls();
    await demandManager({ catalogue, rights }, principal, algorithm_id);
    return calls;
  };
  const entryOf = async ({ userId, calls: total, successes, average }: CallerTotals) => ({
    user_id: userId,
    username: (await accounts?.find(userId))?.username ?? null,
    total_calls: total,
    success_rate: percent(successes, total),
    avg_response_time: mean(average, 1),
  });
  return {
    of: async (principal, query) => (await allowed(principal, query)).of(undefined, query),
    callers: async (principal, { limit, ...query }) => {
      const found = await (await allowed(principal, query)).callers(query, limit);
      return {
        start: isoTime(found.start),
        end: isoTime(found.end),
        callers: await Promise.all(found.callers.map(entryOf)),
      };
    },
  };
}
