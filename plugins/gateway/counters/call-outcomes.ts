import type { Rollup } from '../../../core/index.ts';
import type { FinishedCall, RecordCompanion } from '../../invocation/contract.ts';
import { addOutcomes, type Outcome } from './outcomes.ts';

/** Counts the recorded calls of the gateway in the transaction of their records, so that both are always the same. */
export function countCallOutcomes(rollup: Rollup): RecordCompanion {
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
      return counts.size === 0 ? [] : [addOutcomes(rollup, counts, latest)];
    },
  };
}

/** When a call ended, in milliseconds since 1970. */
export function endOf({ createdAt, seconds }: FinishedCall): number {
  return createdAt + Math.round(seconds * 1000);
}
