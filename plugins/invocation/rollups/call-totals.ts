import { DAY_MS, isoDay, type BatchInsert, type Engine, type SqlValue } from '../../../core/index.ts';
import type { FinishedCall, RecordCompanion } from '../contract.ts';

/** In the place of a day: all of them. In the place of an algorithm: all of them. */
export const ALL = '';

const counted = {
  shard: 'integer',
  calls: 'integer',
  response_us: 'integer',
} as const satisfies BatchInsert['columns'];

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

/** Readers add up all shards. */
const SHARD = 0;

type Totals = Omit<Required<BatchInsert>, 'rows'>;

/** Field by field: V8 makes a new shape for each copy by `...`, and keeps it until a full collection. */
function into({ table, columns, onConflict }: Totals, rows: BatchInsert['rows']): BatchInsert {
  return { table, columns, onConflict, rows };
}

interface Sum {
  calls: number;
  microseconds: number;
}

/** Sums with the same key, added up. */
class Sums {
  readonly #sums = new Map<string, Sum & { key: readonly string[] }>();

  add(key: readonly string[], { calls, microseconds }: Sum): void {
    const name = key.join('|');
    const sum = this.#sums.get(name);
    if (sum) {
      sum.calls += calls;
      sum.microseconds += microseconds;
    } else {
      this.#sums.set(name, { key, calls, microseconds });
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
 * each algorithm, of each algorithm, and of everything; by UTC day and for all time.
 */
export function totalsCompanion(): RecordCompanion {
  return {
    name: 'totals',
    rowsFor: (calls) => {
      const ofUsers = new Sums();
      const ofAlgorithms = new Sums();
      for (const alike of gathered(calls)) addUp(alike, ofUsers, ofAlgorithms);
      return [into(userTotals, ofUsers.rows(SHARD)), into(algorithmTotals, ofAlgorithms.rows(SHARD))];
    },
  };
}

/** Calls of a user with an algorithm that ended alike on one day. */
interface Alike extends Sum {
  readonly call: FinishedCall;
}

/** First what is alike, for that is most of a batch and each of the sums takes as long as a call. */
function gathered(calls: readonly FinishedCall[]): Iterable<Alike> {
  const all = new Map<string, Alike>();
  for (const call of calls) {
    const { userId, algorithmId, status, createdAt } = call;
    const name = `${userId}${algorithmId}${status}${Math.floor(createdAt / DAY_MS)}`;
    const microseconds = Math.round(call.seconds * 1e6);
    const known = all.get(name);
    if (known) {
      known.calls += 1;
      known.microseconds += microseconds;
    } else {
      all.set(name, { call, calls: 1, microseconds });
    }
  }
  return all.values();
}

function addUp(alike: Alike, ofUsers: Sums, ofAlgorithms: Sums): void {
  const { userId, algorithmId, status, createdAt } = alike.call;
  for (const day of [ALL, isoDay(createdAt)]) {
    ofUsers.add([userId, day, algorithmId, status], alike);
    ofAlgorithms.add([algorithmId, day, status], alike);
    ofAlgorithms.add([ALL, day, status], alike);
  }
}

/** SQL for the `isoDay` of a record. */
export const dayOfRecord: Record<Engine, string> = {
  sqlite: `strftime('%Y-%m-%d', created_at / 1000, 'unixepoch')`,
  postgres: `to_char(to_timestamp(created_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
};
