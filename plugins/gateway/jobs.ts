import { CLOCK, DATABASE, job } from '../../core/index.ts';
import { deleteOldMarks } from './counters/refusal-counts.ts';
import { deleteEndedWindows } from './limits/limit-store.ts';
import { ROUTE_CALLS } from './traffic/route-calls.ts';

export const jobs = [
  job({
    name: 'delete-old-rows',
    summary: 'Deletes windows that ended, marks of stored refusals, and counts that are no longer read',
    every: '5m',
    deps: { database: DATABASE, clock: CLOCK, calls: ROUTE_CALLS },
    run: async (_, { database, clock, calls }) => {
      await deleteEndedWindows(database, clock.now());
      await deleteOldMarks(database, clock.now());
      await calls.deleteOld();
    },
  }),
];
