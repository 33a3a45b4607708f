import type { BatchInsert } from '../../../core/index.ts';

/** What became of a request: recorded calls by their status, refused ones by the code of their problem. */
export type Outcome = 'success' | 'failed' | RefusalCode;
export type RefusalCode = 'blocked' | 'rate_limited' | 'concurrency_limited';

const COLUMNS = { outcome: 'text', shard: 'integer', requests: 'integer', updated_at: 'text' } as const;
const ON_CONFLICT = { key: ['outcome', 'shard'], add: ['requests'], set: ['updated_at'] } as const;

/** Readers add up all shards. */
const SHARD = 0;

/** Adds to the counters. */
export function addToCounters(counts: ReadonlyMap<Outcome, number>, updatedAt: string): BatchInsert {
  return {
    table: 'gateway_counters',
    columns: COLUMNS,
    rows: Array.from(counts, ([outcome, requests]) => [outcome, SHARD, requests, updatedAt]),
    onConflict: ON_CONFLICT,
  };
}
