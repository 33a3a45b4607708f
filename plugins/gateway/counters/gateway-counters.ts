import {
  createRollup,
  isoTime,
  token,
  type BatchInsert,
  type Clock,
  type Database,
  type Rollup,
  type RollupDefinition,
} from '../../../core/index.ts';
import type { FinishedCall, RecordHook } from '../../invocation/contract.ts';
import type { GatewayStatistics } from '../schemas.ts';

/** The outcome of a request: the status of a recorded call, or the problem code of a refused one. */
export type Outcome = 'success' | 'failed' | RefusalCode;
export type RefusalCode = 'blocked' | 'rate_limited' | 'concurrency_limited';

/** The roll-up of requests by outcome. */
export const outcomeRollup: RollupDefinition = {
  table: 'gateway_counters',
  key: { outcome: 'text' },
  sums: ['requests'],
  latest: { updated_at: 'text' },
};

interface OutcomeRow {
  readonly outcome: Outcome;
  readonly requests: number | string;
  readonly updated_at: string;
}

/** Counts the requests to all instances by outcome, since the installation was made. */
export class GatewayCounters {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #rollup: Rollup;

  constructor({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
    this.#rollup = createRollup(database, outcomeRollup);
  }

  /** The insert that adds counts; `at` is in milliseconds since 1970. */
  add(counts: ReadonlyMap<Outcome, number>, at: number): BatchInsert {
    return this.#rollup.append(Array.from(counts, ([outcome, requests]) => [outcome, requests, isoTime(at)]));
  }

  /** Merges the rows that each process writes for itself. */
  fold(): Promise<void> {
    return this.#rollup.fold();
  }

  async read(): Promise<GatewayStatistics> {
    const rows: OutcomeRow[] = await this.#database
      .knex(outcomeRollup.table)
      .select('outcome')
      .sum({ requests: 'requests' })
      .max({ updated_at: 'updated_at' })
      .groupBy('outcome');
    const of = (outcome: Outcome): number =>
      Number(rows.find((row) => row.outcome === outcome)?.requests ?? 0);
    const counts = {
      successful_requests: of('success'),
      failed_requests: of('failed'),
      blocked_requests: of('blocked'),
      rate_limited_requests: of('rate_limited') + of('concurrency_limited'),
    };
    const updates = rows.map(({ updated_at }) => updated_at).toSorted();
    return {
      total_requests: Object.values(counts).reduce((sum, count) => sum + count, 0),
      ...counts,
      last_updated: updates.at(-1) ?? isoTime(this.#clock.now()),
    };
  }
}

/** Makes the hook that counts calls of the gateway in the transaction of their records, so that both always agree. */
export function countRecordedCalls(counters: Pick<GatewayCounters, 'add'>): RecordHook {
  return {
    name: 'gateway',
    rowsFor: (calls) => {
      const counts = new Map<Outcome, number>();
      let latest = 0;
      for (const call of calls) {
        if (call.channel !== 'gateway') continue;
        const outcome = call.status === 'success' ? 'success' : 'failed';
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
        latest = Math.max(latest, endOf(call));
      }
      return counts.size === 0 ? [] : [counters.add(counts, latest)];
    },
  };
}

/** When a call ended, in milliseconds since 1970. */
export function endOf({ createdAt, seconds }: FinishedCall): number {
  return createdAt + Math.round(seconds * 1000);
}

export const GATEWAY_COUNTERS = token<GatewayCounters>('gateway:counters');
