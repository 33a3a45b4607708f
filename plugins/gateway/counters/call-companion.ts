import { isoTime } from '../../../core/index.ts';
import type { FinishedCall, RecordCompanion } from '../../invocation/contract.ts';
import { addToCounters, type Outcome } from './counters-table.ts';

/** Counts the recorded calls of the gateway in the transaction of their records, so that both are always the same. */
export function callCompanion(): RecordCompanion {
  return {
    name: 'gateway',
    rowsFor: (calls) => {
      const counts = new Map<Outcome, number>();
      let latest = 0;
      for (const call of calls) {
        if (call.door !== 'gateway') continue;
        const outcome = call.status === 'success' ? 'success' : 'failed';
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
        latest = Math.max(latest, endOf(call));
      }
      return counts.size === 0 ? [] : [addToCounters(counts, isoTime(latest))];
    },
  };
}

function endOf({ createdAt, seconds }: FinishedCall): number {
  return createdAt + Math.round(seconds * 1000);
}
