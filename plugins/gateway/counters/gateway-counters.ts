import { isoTime, type Clock, type Database, defineRollup } from '../../../core/index.ts';
import type { CallChannel, FinishedCall, RecordHook } from '../../invocation/contract.ts';
import type { GatewayStatistics, RequestCounts } from '../schemas.ts';

/** The outcome of a request: the status of a recorded call, or the problem code of a refused one. */
export type Outcome = 'success' | 'failed' | RefusalCode;
export type RefusalCode = 'blocked' | 'rate_limited' | 'concurrency_limited';

/** The roll-up of requests by channel, in the column `path`, and outcome. */
export const outcomeRollup = defineRollup({
  table: 'gateway_counters',
  key: { path: 'text', outcome: 'text' },
  sums: ['requests'],
  latest: { updated_at: 'text' },
});

interface OutcomeRow {
  readonly path: CallChannel;
  readonly outcome: Outcome;
  readonly requests: number;
  readonly updated_at: string;
}

/**
 * The requests to all instances by outcome, since the installation was made: those of the gateway's own path, and the others
 * as `direct`.
 */
export async function gatewayStatistics(
  database: Pick<Database, 'knex'>,
  clock: Clock,
): Promise<GatewayStatistics> {
  const rows: OutcomeRow[] = await database
    .knex(outcomeRollup.table)
    .select('path', 'outcome')
    .sum({ requests: 'requests' })
    .max({ updated_at: 'updated_at' })
    .groupBy('path', 'outcome');
  // A channel without counts names the time of the other one, and not the time of reading.
  const lastOfAll = latestOf(rows) ?? isoTime(clock.now());
  const countsOf = (channel: CallChannel): RequestCounts => {
    const own = rows.filter(({ path }) => path === channel);
    return { ...countsIn(own), last_updated: latestOf(own) ?? lastOfAll };
  };
  return { ...countsOf('gateway'), direct: countsOf('direct') };
}

function countsIn(rows: readonly OutcomeRow[]): Omit<RequestCounts, 'last_updated'> {
  const of = (outcome: Outcome): number => rows.find((row) => row.outcome === outcome)?.requests ?? 0;
  const counts = {
    successful_requests: of('success'),
    failed_requests: of('failed'),
    blocked_requests: of('blocked'),
    rate_limited_requests: of('rate_limited') + of('concurrency_limited'),
  };
  return { total_requests: Object.values(counts).reduce((sum, count) => sum + count, 0), ...counts };
}

function latestOf(rows: readonly OutcomeRow[]): string | undefined {
  return rows
    .map(({ updated_at }) => updated_at)
    .toSorted()
    .at(-1);
}

/** Makes the hook that counts calls in the transaction of their records, so that both always agree. */
export function countRecordedCalls(database: Pick<Database, 'engine'>): RecordHook {
  const outcomes = outcomeRollup.writer(database);
  const rowOf = (call: FinishedCall) => {
    const outcome: Outcome = call.status === 'success' ? 'success' : 'failed';
    return [call.channel, outcome, 1, isoTime(endOf(call))];
  };
  return { name: 'gateway', rowsFor: (calls) => [outcomes.append(calls.map(rowOf))] };
}

/** When a call ended, in milliseconds since 1970. */
export function endOf({ created_at, response_time }: FinishedCall): number {
  return created_at + Math.round(response_time * 1000);
}
