import { healthCheck } from '../../../core/index.ts';
import { RECORDER } from './recorder.ts';
import { batchesInWords } from './spool.ts';

/** Unhealthy while the database takes no records and calls are refused; degraded while records wait in the spool. */
export const recorderHealth = healthCheck({
  name: 'recorder',
  deps: { recorder: RECORDER },
  check: ({ recorder: { state } }) => {
    const { isAway, reason, spooled, fault } = state;
    if (isAway)
      return {
        state: 'unhealthy',
        detail: `The database takes no records; calls are refused. ${reason}`,
      };
    const waiting = `${batchesInWords(spooled)} to store`;
    if (fault !== undefined) {
      const detail = `The spool of records in the data directory fails (${fault}); it has ${waiting}, as far as is known.`;
      return { state: 'degraded', detail };
    }
    return spooled === 0 ? { state: 'healthy' } : { state: 'degraded', detail: `The spool has ${waiting}.` };
  },
});
