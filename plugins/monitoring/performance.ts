import {
  DAY_MS,
  isId,
  isoDay,
  isoTime,
  token,
  type Clock,
  type Principal,
  type Type,
} from '../../core/index.ts';
import {
  AlgorithmNotFound,
  type Algorithm,
  type AlgorithmRights,
  type Catalogue,
} from '../catalogue/contract.ts';
import type { CallStatistics } from '../invocation/contract.ts';
import { mean, percent } from './percent.ts';
import { noCalls } from './problems.ts';
import type { PerformanceAnswer } from './schemas.ts';

/** Shows how an algorithm performed during the last days. */
export interface Performance {
  /**
   * The figures of the last `days` UTC days, today included. Only managers of the algorithm get error codes. Administrators may
   * name one that was deleted and had been called. Throws `AlgorithmNotFound` or `PerformanceUnavailable`.
   */
  of(principal: Principal, algorithmId: string, days: number): Promise<Type.Static<typeof PerformanceAnswer>>;
}

export const PERFORMANCE = token<Performance>('monitoring:performance');

interface PerformanceDeps {
  readonly clock: Clock;
  readonly catalogue: Catalogue | undefined;
  readonly rights: AlgorithmRights | undefined;
  readonly statistics: CallStatistics | undefined;
}

export function createPerformance({ clock, catalogue, rights, statistics }: PerformanceDeps): Performance {
  return {
    of: async (principal, algorithmId, days) => {
      if (!catalogue || !rights || !statistics) throw noCalls();
      const algorithm = await algorithmOf({ catalogue, statistics }, principal, algorithmId);
      const id = algorithm?.id ?? algorithmId;
      const now = clock.now();
      const [first, last] = [isoDay(now - (days - 1) * DAY_MS), isoDay(now)];
      const totals = await statistics.between({ algorithmId: id }, first, last);
      const isTheirs = !algorithm || (await rights.may(principal, algorithm, 'manage'));
      const { total_calls: total, status_counts: counts, total_response_time: seconds } = totals;
      const succeeded = counts['success'] ?? 0;
      return {
        algorithm_id: id,
        period_days: days,
        total_calls: total,
        success_calls: succeeded,
        failed_calls: counts['failed'] ?? 0,
        success_rate: percent(succeeded, total),
        average_response_time: mean(seconds, total),
        status_distribution: counts,
        ...(isTheirs ? { error_distribution: await statistics.errors(id, first, last) } : {}),
        timestamp: isoTime(now),
      };
    },
  };
}

/** The algorithm; `undefined` for one that was deleted and has figures, which stay for administrators. */
async function algorithmOf(
  { catalogue, statistics }: { readonly catalogue: Catalogue; readonly statistics: CallStatistics },
  principal: Principal,
  id: string,
): Promise<Algorithm | undefined> {
  try {
    return await catalogue.algorithm(id, principal);
  } catch (error) {
    if (!AlgorithmNotFound.is(error) || !maySeeDeleted(principal, id)) throw error;
    if ((await statistics.totals({ algorithmId: id })).total_calls === 0) throw error;
    return undefined;
  }
}

/** A key that is restricted to other algorithms shows an administrator nothing of this one. */
function maySeeDeleted(principal: Principal, id: string): boolean {
  if (principal.kind === 'anonymous' || principal.role !== 'admin') return false;
  return isId(id) && (principal.resources?.has(id) ?? true);
}
