import { healthCheck } from '../../../core/index.ts';
import { RECORDER } from './recorder.ts';

/** Says when calls are refused, or records wait on the disk or in memory, because the database takes none, and why. */
export const recorderHealth = healthCheck({
  name: 'recorder',
  deps: { recorder: RECORDER },
  check: ({ recorder: { state } }) => {
    if (state.isAway)
      return {
        state: 'unhealthy',
        detail: `The database takes no records; calls are refused. ${state.reason}`,
      };
    const { spooled, held, fault } = state;
    if (fault !== undefined) {
      const detail = `The spool of records in the data directory fails (${fault}); ${waiting(spooled, held)} as far as is known.`;
      return { state: 'degraded', detail };
    }
    if (spooled === 0 && held === 0) return { state: 'healthy' };
    return { state: 'degraded', detail: `${waiting(spooled, held)}.` };
  },
});

function waiting(spooled: number, held: number): string {
  return `${spooled} batches of records wait on the disk and ${held} records in memory to be stored`;
}
