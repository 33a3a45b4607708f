import { healthCheck } from '../../../core/index.ts';
import { RECORDER } from './recorder.ts';

/** Says when calls are refused, or records wait on the disk or in memory, because the database takes none. */
export const recorderHealth = healthCheck({
  name: 'recorder',
  deps: { recorder: RECORDER },
  check: ({ recorder: { state } }) => {
    if (state.isAway)
      return { state: 'unhealthy', detail: 'The database takes no records; calls are refused.' };
    if (state.spooled === 0 && state.held === 0) return { state: 'healthy' };
    return {
      state: 'degraded',
      detail: `${state.spooled} batches of records wait on the disk and ${state.held} records in memory to be stored.`,
    };
  },
});
