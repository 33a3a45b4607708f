import { DATABASE, job, type Database, defineRollup, isoDay, type SqlValue } from '../../../core/index.ts';
import { ROLLUPS, type RecordHook } from '../contract.ts';
import { inTurn } from './in-turn.ts';

/** Stands for all days as a day, and for all algorithms as an algorithm. */
export const ALL = '';

/** Calls that ended, microseconds spent on endpoints, and how many of the calls retention has deleted since. */
const sums = ['calls', 'response_us', 'deleted'];

/** The totals of each user by algorithm. A day is the UTC day on which a call began, as `YYYY-MM-DD`. */
export const userTotals = defineRollup({
  table: 'invocation_user_totals',
  key: { user_id: 'text', day: 'text', algorithm_id: 'text', status: 'text' },
  sums,
});

/** The totals of each algorithm, and of all algorithms together. */
export const algorithmTotals = defineRollup({
  table: 'invocation_algorithm_totals',
  key: { algorithm_id: 'text', day: 'text', status: 'text' },
  sums,
});

/** Folds these roll-ups and those of other plugins. SQLite has nothing to fold. */
export const foldJob = job({
  name: 'fold-totals',
  summary: 'Joins the sums that each process keeps for itself, so that statistics read few rows',
  every: ({ database }) => (database.engine === 'postgres' ? '5s' : '1d'),
  deps: { database: DATABASE, rollups: ROLLUPS },
  run: (_, { database, rollups }) =>
    inTurn([userTotals, algorithmTotals, ...rollups], (rollup) => rollup.fold(database)),
});

/**
 * Makes the hook that adds calls to the totals behind statistics: of each user by algorithm, of each algorithm, and of
 * all algorithms; by UTC day and for all time.
 */
export function totalsHook(database: Pick<Database, 'engine'>): RecordHook {
  const [users, algorithms] = [userTotals.writer(database), algorithmTotals.writer(database)];
  return {
    name: 'totals',
    rowsFor: (calls) => {
      const ofUsers: SqlValue[][] = [];
      const ofAlgorithms: SqlValue[][] = [];
      for (const { user_id, algorithm_id, status, response_time, created_at } of calls) {
        const sums = [1, Math.round(response_time * 1e6), 0];
        for (const day of [ALL, isoDay(created_at)]) {
          ofUsers.push([user_id, day, algorithm_id, status, ...sums]);
          ofAlgorithms.push([algorithm_id, day, status, ...sums], [ALL, day, status, ...sums]);
        }
      }
      return [users.append(ofUsers), algorithms.append(ofAlgorithms)];
    },
  };
}
