import { dateRange, Forbidden, isoDay, token, type Clock, type UserPrincipal } from '../../core/index.ts';
import type { CallScope, CallStatistics } from '../invocation/contract.ts';
import type { AlgorithmsAnswer, AlgorithmsQuery, StatisticsAnswer, StatisticsQuery } from './schemas.ts';

/** Shows statistics of calls to users who may see them. */
export interface Statistics {
  /** The statistics of the caller; for administrators those of all users or of a given one. Throws `Forbidden`. */
  of(principal: UserPrincipal, query: StatisticsQuery): Promise<StatisticsAnswer>;
  /** What the caller called, by algorithm. Throws `ValidationFailed`. */
  byAlgorithm(principal: UserPrincipal, query: AlgorithmsQuery): Promise<AlgorithmsAnswer>;
}

export const STATISTICS = token<Statistics>('history:statistics');

const MOST_ALGORITHMS = 100;

export function createStatistics({
  figures,
  clock,
}: {
  readonly figures: CallStatistics;
  readonly clock: Clock;
}): Statistics {
  return {
    of: async (principal, query) => {
      const scope = scopeOf(principal, query);
      const today = isoDay(clock.now());
      // Read before the totals, so that today never exceeds them.
      const { total_calls: todayCalls } = await figures.between(scope, today, today);
      const { total_calls: total, status_counts, total_response_time } = await figures.totals(scope);
      return {
        total_calls: total,
        status_counts,
        success_rate: ratio((status_counts['success'] ?? 0) * 100, total),
        avg_response_time: ratio(total_response_time, total),
        today_calls: todayCalls,
      };
    },
    byAlgorithm: async ({ userId }, query) => {
      const totals = await figures.byAlgorithm(userId, MOST_ALGORITHMS, daysOf(dateRange(query)));
      return {
        algorithms: totals.map(({ algorithm_id, total_calls, success_calls, total_response_time }) => ({
          algorithm_id,
          total_calls,
          success_rate: ratio(success_calls * 100, total_calls),
          avg_response_time: ratio(total_response_time, total_calls),
        })),
      };
    },
  };
}

/** The days of a range; `undefined` for all time. */
function daysOf({
  from,
  until,
}: ReturnType<typeof dateRange>): { readonly from: string; readonly to: string } | undefined {
  if (from === undefined && until === undefined) return undefined;
  return {
    from: from === undefined ? '0000-01-01' : isoDay(from),
    to: until === undefined ? '9999-12-31' : isoDay(until - 1),
  };
}

/** Whose calls a query may show. Throws `Forbidden`. */
export function scopeOf(
  principal: UserPrincipal,
  { user_id, algorithm_id }: Pick<StatisticsQuery, 'user_id' | 'algorithm_id'>,
): CallScope {
  if (principal.role === 'admin') return { userId: user_id, algorithmId: algorithm_id };
  if (user_id !== undefined && user_id !== principal.userId) {
    throw Forbidden('Statistics of another user are for administrators. Leave user_id out to see your own.');
  }
  return { userId: principal.userId, algorithmId: algorithm_id };
}

/** A ratio with at most four decimals; 0 when the whole is 0. */
function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;
}
