import { isoDay, type SqlValue } from '../../../core/index.ts';
import type { RecordHook } from '../contract.ts';
import { ALL, type CallRollups } from './call-rollups.ts';

/**
 * Makes the hook that adds calls to the totals behind statistics: of each user by algorithm, of each algorithm, and of
 * all algorithms; by UTC day and for all time.
 */
export function totalsHook({ users, algorithms }: CallRollups): RecordHook {
  return {
    name: 'totals',
    rowsFor: (calls) => {
      const ofUsers: SqlValue[][] = [];
      const ofAlgorithms: SqlValue[][] = [];
      for (const { userId, algorithmId, status, seconds, createdAt } of calls) {
        const sums = [1, Math.round(seconds * 1e6), 0];
        for (const day of [ALL, isoDay(createdAt)]) {
          ofUsers.push([userId, day, algorithmId, status, ...sums]);
          ofAlgorithms.push([algorithmId, day, status, ...sums], [ALL, day, status, ...sums]);
        }
      }
      return [users.append(ofUsers), algorithms.append(ofAlgorithms)];
    },
  };
}
