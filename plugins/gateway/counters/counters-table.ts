import type { BatchInsert } from '../../../core/index.ts';

/** What became of a request: recorded calls by their status, refused ones by the code of their problem. */
export type Outcome = 'success' | 'failed' | RefusalCode;
export type RefusalCode = 'blocked' | 'rate_limited' | 'concurrency_limited';

const COLUMNS = { outcome: 'text', shard: 'integer', requests: 'integer', updated_at: 'text' } as const;
const ON_CONFLICT = { key: ['outcome', 'shard'], add: ['requests'], set: ['updated_at'] } as const;

/** Adds to the counters; writers in different shards do not wait for each other's rows. */
export function addToCounters(
  counts: ReadonlyMap<Outcome, number>,
  shard: number,
  updatedAt: string,
): BatchInsert {
  return {
    table: 'gateway_counters',
    columns: COLUMNS,
    rows: Array.from(counts, ([outcome, requests]) => [outcome, shard, requests, updatedAt]),
    onConflict: ON_CONFLICT,
  };
}
