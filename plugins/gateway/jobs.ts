import { CLOCK, DATABASE, job } from '../../core/index.ts';
import { GATEWAY_COUNTERS } from './counters/gateway-counters.ts';
import { deleteOldMarks } from './counters/refusal-counts.ts';
import { REFUSAL_SERIES } from './counters/refusal-series.ts';
import { deleteEndedWindows } from './limits/limit-store.ts';
import { ROUTE_CALLS } from './traffic/route-calls.ts';

export const jobs = [
  job({
    name: 'fold-counters',
    summary: 'Adds up the rows of the counters that processes keep apart',
    every: '1m',
    deps: { counters: GATEWAY_COUNTERS, calls: ROUTE_CALLS, refusals: REFUSAL_SERIES },
    run: async (_, { counters, calls, refusals }) => {
      await counters.fold();
      await calls.fold();
      await refusals.fold();
    },
  }),
  job({
    name: 'delete-old-rows',
    summary: 'Deletes windows that ended, marks of stored refusals, and counts that are no longer read',
    every: '5m',
    deps: { database: DATABASE, clock: CLOCK, calls: ROUTE_CALLS, refusals: REFUSAL_SERIES },
    run: async ({ signal }, { database, clock, calls, refusals }) => {
      await deleteEndedWindows(database, clock.now());
      await deleteOldMarks(database, clock.now());
      await calls.deleteOld();
      await refusals.deleteOld(signal);
    },
  }),
];
