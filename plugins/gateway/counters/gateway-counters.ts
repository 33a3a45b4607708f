import { isoTime, token, type Clock, type Database } from '../../../core/index.ts';
import type { GatewayStatistics } from '../schemas.ts';
import type { Outcome } from './counters-table.ts';
import type { RefusalCounts } from './refusal-counts.ts';

export interface GatewayCountersDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly refusals: RefusalCounts;
}

interface CounterRow {
  readonly outcome: Outcome;
  readonly requests: number | string;
  readonly updated_at: string;
}

/** Reads the counters of all instances together, since the installation was made. */
export class GatewayCounters {
  readonly #deps: GatewayCountersDeps;

  constructor(deps: GatewayCountersDeps) {
    this.#deps = deps;
  }

  async read(): Promise<GatewayStatistics> {
    const { database, clock, refusals } = this.#deps;
    await refusals.stored();
    const rows: CounterRow[] = await database
      .knex('gateway_counters')
      .select('outcome')
      .sum({ requests: 'requests' })
      .max({ updated_at: 'updated_at' })
      .groupBy('outcome');
    const of = (...outcomes: Outcome[]): number =>
      rows
        .filter(({ outcome }) => outcomes.includes(outcome))
        .reduce((sum, { requests }) => sum + Number(requests), 0);
    const counts = {
      successful_requests: of('success'),
      failed_requests: of('failed'),
      blocked_requests: of('blocked'),
      rate_limited_requests: of('rate_limited', 'concurrency_limited'),
    };
    const latest = rows
      .map(({ updated_at }) => updated_at)
      .toSorted()
      .at(-1);
    return {
      total_requests: Object.values(counts).reduce((sum, count) => sum + count, 0),
      ...counts,
      last_updated: latest ?? isoTime(clock.now()),
    };
  }
}

export const GATEWAY_COUNTERS = token<GatewayCounters>('gateway:counters');
