import { isoTime, type BatchInsert, type ColumnType, type SqlValue } from '../../core/index.ts';
import type { FinishedCall, RecordCompanion } from './contract.ts';

/** In the place of a day: all of them. In the place of an algorithm: all of them. */
export const ALL = '';

const counted = { shard: 'integer', calls: 'integer', response_us: 'integer' } as const satisfies Record<
  string,
  ColumnType
>;

const userTotals = {
  table: 'invocation_user_totals',
  columns: { user_id: 'text', day: 'text', algorithm_id: 'text', status: 'text', ...counted },
  onConflict: { key: ['user_id', 'day', 'algorithm_id', 'status', 'shard'], add: ['calls', 'response_us'] },
} as const;

const algorithmTotals = {
  table: 'invocation_algorithm_totals',
  columns: { algorithm_id: 'text', day: 'text', status: 'text', ...counted },
  onConflict: { key: ['algorithm_id', 'day', 'status', 'shard'], add: ['calls', 'response_us'] },
} as const;

type Totals = Omit<Required<BatchInsert>, 'rows'>;

/** Field by field: V8 makes a new shape for each copy by `...`, and keeps it until a full collection. */
function into({ table, columns, onConflict }: Totals, rows: BatchInsert['rows']): BatchInsert {
  return { table, columns, onConflict, rows };
}

/** Calls with the same key, added up. */
class Sums {
  readonly #sums = new Map<string, { key: readonly string[]; calls: number; microseconds: number }>();

  add(key: readonly string[], microseconds: number): void {
    const name = key.join('|');
    const sum = this.#sums.get(name);
    if (sum) {
      sum.calls += 1;
      sum.microseconds += microseconds;
    } else {
      this.#sums.set(name, { key, calls: 1, microseconds });
    }
  }

  rows(shard: number): SqlValue[][] {
    return Array.from(this.#sums.values(), ({ key, calls, microseconds }) => [
      ...key,
      shard,
      calls,
      microseconds,
    ]);
  }
}

/**
 * Keeps the counts behind statistics in the transaction of the records, so that they are exact: of each user with
 * each algorithm, of each algorithm, and of everything; by UTC day and for all time. Writers that use different
 * shards do not wait for each other's rows.
 */
export function totalsCompanion(shard: number): RecordCompanion {
  return {
    name: 'totals',
    rowsFor: (calls) => {
      const ofUsers = new Sums();
      const ofAlgorithms = new Sums();
      for (const call of calls) addUp(call, ofUsers, ofAlgorithms);
      return [into(userTotals, ofUsers.rows(shard)), into(algorithmTotals, ofAlgorithms.rows(shard))];
    },
  };
}

function addUp(call: FinishedCall, ofUsers: Sums, ofAlgorithms: Sums): void {
  const { userId, algorithmId, status } = call;
  const microseconds = Math.round(call.seconds * 1e6);
  for (const day of [ALL, dayOf(call.createdAt)]) {
    ofUsers.add([userId, day, algorithmId, status], microseconds);
    ofAlgorithms.add([algorithmId, day, status], microseconds);
    ofAlgorithms.add([ALL, day, status], microseconds);
  }
}

/** The UTC day of a time: `2026-01-31`. */
export function dayOf(milliseconds: number): string {
  return isoTime(milliseconds).slice(0, 10);
}
