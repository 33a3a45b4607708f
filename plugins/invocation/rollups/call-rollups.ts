import {
  DATABASE,
  job,
  token,
  type Database,
  defineRollup,
  isoDay,
  type SqlValue,
} from '../../../core/index.ts';
import type { RecordHook } from '../contract.ts';

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

/** Writes the roll-ups of calls. */
export type CallRollups = ReturnType<typeof createCallRollups>;

export const CALL_ROLLUPS = token<CallRollups>('invocation:call-rollups');

export function createCallRollups(database: Pick<Database, 'engine' | 'knex'>) {
  return {
    users: userTotals.writer(database),
    algorithms: algorithmTotals.writer(database),
  };
}

/** Folds the roll-ups. SQLite has nothing to fold. */
export const foldJob = job({
  name: 'fold-totals',
  summary: 'Joins the sums that processes kept beside the records of calls, so that statistics read few rows',
  every: ({ database }) => (database.engine === 'postgres' ? '5s' : '1d'),
  deps: { database: DATABASE, rollups: CALL_ROLLUPS },
  run: async (_, { rollups }) => {
    for (const rollup of Object.values(rollups)) await rollup.fold();
  },
});

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
