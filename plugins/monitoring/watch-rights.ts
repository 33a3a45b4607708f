import { Forbidden, token, type UserPrincipal } from '../../core/index.ts';
import type { AlgorithmRights, Catalogue } from '../catalogue/contract.ts';
import { noCalls } from './problems.ts';

/** Decides who may watch the calls of everybody. */
export interface WatchRights {
  /**
   * Administrators may watch all calls, also of algorithms that were deleted; who manages an algorithm those of that one.
   * Throws `Forbidden`, `AlgorithmNotFound` or `PerformanceUnavailable`.
   */
  demand(principal: UserPrincipal, algorithmId: string | undefined): Promise<void>;
}

export const WATCH_RIGHTS = token<WatchRights>('monitoring:watch-rights');

export function createWatchRights({
  catalogue,
  rights,
}: {
  readonly catalogue: Catalogue | undefined;
  readonly rights: AlgorithmRights | undefined;
}): WatchRights {
  return {
    demand: async (principal, algorithmId) => {
      if (!catalogue || !rights) throw noCalls();
      if (principal.role === 'admin') return;
      if (algorithmId === undefined) {
        throw Forbidden(
          'The figures of all algorithms are for administrators. Name an algorithm that you manage.',
        );
      }
      const algorithm = await catalogue.algorithm(algorithmId, principal);
      if (await rights.may(principal, algorithm, 'manage')) return;
      throw Forbidden(`The figures of the algorithm "${algorithm.id}" are for those who manage it.`);
    },
  };
}
