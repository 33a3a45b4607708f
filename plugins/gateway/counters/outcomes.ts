import { isoTime, token, type BatchInsert, type Rollup, type RollupDefinition } from '../../../core/index.ts';

/** What became of a request: recorded calls by their status, refused ones by the code of their problem. */
export type Outcome = 'success' | 'failed' | RefusalCode;
export type RefusalCode = 'blocked' | 'rate_limited' | 'concurrency_limited';

/** Requests by outcome. */
export const outcomes: RollupDefinition = {
  table: 'gateway_counters',
  key: { outcome: 'text' },
  sums: ['requests'],
  latest: { updated_at: 'text' },
};

export const OUTCOMES = token<Rollup>('gateway:outcomes');

/** Adds to the counters; `updatedAt` is in milliseconds since 1970. */
export function addOutcomes(
  rollup: Pick<Rollup, 'append'>,
  counts: ReadonlyMap<Outcome, number>,
  updatedAt: number,
): BatchInsert {
  return rollup.append(Array.from(counts, ([outcome, requests]) => [outcome, requests, isoTime(updatedAt)]));
}
