import { job, optional } from '../../core/index.ts';
import { TIME_ROLLUPS } from '../invocation/contract.ts';
import { loadRollup } from './load-figures.ts';

export const jobs = [
  job({
    name: 'old-load',
    summary: 'Adds up the load that processes keep apart, and deletes its old minutes and hours',
    every: '5m',
    deps: { rollups: optional(TIME_ROLLUPS) },
    run: async ({ signal }, { rollups }) => {
      const load = rollups?.keep(loadRollup);
      await load?.fold();
      await load?.deleteOld(signal);
    },
  }),
];
