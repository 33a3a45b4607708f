import { isoTime, token, type Clock, type Static } from '../../core/index.ts';
import type { Catalogue } from '../catalogue/contract.ts';
import type { CallStatistics } from '../invocation/contract.ts';
import { mean, percent } from './percent.ts';
import { PerformanceUnavailable } from './problems.ts';
import type { PerformanceAnswer } from './schemas.ts';

/** How an algorithm did over the last days. */
export interface Performance {
  /** The last `days` UTC days, today included. Throws `AlgorithmNotFound` or `PerformanceUnavailable`. */
  of(algorithmId: string, days: number): Promise<Static<typeof PerformanceAnswer>>;
}

export const PERFORMANCE = token<Performance>('monitoring:performance');

const DAY = 86_400_000;

interface PerformanceParts {
  readonly clock: Clock;
  readonly catalogue: Catalogue | undefined;
  readonly statistics: CallStatistics | undefined;
}

export function createPerformance({ clock, catalogue, statistics }: PerformanceParts): Performance {
  return {
    of: async (algorithmId, days) => {
      if (!catalogue || !statistics) {
        throw PerformanceUnavailable(
          'This installation calls no algorithms: the plugin invocation is switched off.',
        );
      }
      const { id } = await catalogue.algorithm(algorithmId);
      const now = clock.now();
      const totals = await statistics.between({ algorithmId: id }, day(now - (days - 1) * DAY), day(now));
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
        timestamp: isoTime(now),
      };
    },
  };
}

function day(milliseconds: number): string {
  return isoTime(milliseconds).slice(0, 10);
}
