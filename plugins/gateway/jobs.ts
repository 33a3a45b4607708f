import { CLOCK, DATABASE, job } from '../../core/index.ts';
import { GATEWAY_COUNTERS } from './counters/gateway-counters.ts';
import { deleteOldMarks } from './counters/refusal-counts.ts';
import { deleteEndedWindows } from './limits/limit-store.ts';
import { ROUTE_CALLS } from './traffic/route-calls.ts';

export const jobs = [
  job({
    name: 'fold-counters',
    summary: 'Adds up the rows of the counters that processes keep apart',
    every: '1m',
    deps: { counters: GATEWAY_COUNTERS, calls: ROUTE_CALLS },
    run: async (_, { counters, calls }) => {
      await counters.fold();
      await calls.fold();
    },
  }),
  job({
    name: 'delete-old-rows',
    summary: 'Deletes windows that ended, marks of former processes, and counts that no rollback rule reads',
    every: '5m',
    deps: { database: DATABASE, clock: CLOCK, calls: ROUTE_CALLS },
    run: async (_, { database, clock, calls }) => {
      await deleteEndedWindows(database, clock.now());
      await deleteOldMarks(database, clock.now());
      await calls.deleteOld();
    },
  }),
];
