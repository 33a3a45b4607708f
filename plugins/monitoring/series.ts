import { Forbidden, token, type UserPrincipal } from '../../core/index.ts';
import type { AlgorithmRights, Catalogue } from '../catalogue/contract.ts';
import type { CallSeries, CallSeriesAnswer, SeriesQuery } from '../invocation/contract.ts';
import { noCalls } from './problems.ts';

/** Shows how all calls, or those of an algorithm, performed over time. */
export interface Series {
  /**
   * For administrators, and for those who manage the algorithm of the query. Throws `Forbidden`, `AlgorithmNotFound`,
   * `PerformanceUnavailable` or `ValidationFailed`.
   */
  of(principal: UserPrincipal, query: SeriesQuery): Promise<CallSeriesAnswer>;
}

export const SERIES = token<Series>('monitoring:series');

interface SeriesDeps {
  readonly catalogue: Catalogue | undefined;
  readonly rights: AlgorithmRights | undefined;
  readonly calls: CallSeries | undefined;
}

export function createSeries({ catalogue, rights, calls }: SeriesDeps): Series {
  return {
    of: async (principal, query) => {
      if (!catalogue || !rights || !calls) throw noCalls();
      // Administrators also see the figures of algorithms that were deleted.
      if (principal.role !== 'admin') {
        if (query.algorithm_id === undefined) {
          throw Forbidden(
            'The series of all algorithms is for administrators. Name an algorithm that you manage.',
          );
        }
        const algorithm = await catalogue.algorithm(query.algorithm_id, principal);
        if (!(await rights.may(principal, algorithm, 'manage'))) {
          throw Forbidden(`The series of the algorithm "${algorithm.id}" is for those who manage it.`);
        }
      }
      return calls.of(undefined, query);
    },
  };
}
