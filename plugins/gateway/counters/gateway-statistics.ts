import { isoTime, token, type Clock, type Database } from '../../../core/index.ts';
import type { GatewayStatistics } from '../schemas.ts';
import { outcomes, type Outcome } from './outcomes.ts';
import type { RefusalCounts } from './refusal-counts.ts';

export interface StatisticsReaderDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly refusals: RefusalCounts;
}

interface OutcomeRow {
  readonly outcome: Outcome;
  readonly requests: number | string;
  readonly updated_at: string;
}

/** Reads the counters of all instances together, since the installation was made. */
export class StatisticsReader {
  readonly #deps: StatisticsReaderDeps;

  constructor(deps: StatisticsReaderDeps) {
    this.#deps = deps;
  }

  async read(): Promise<GatewayStatistics> {
    const { database, clock, refusals } = this.#deps;
    await refusals.stored();
    const rows: OutcomeRow[] = await database
      .knex(outcomes.table)
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
      last_updated: updates.at(-1) ?? isoTime(clock.now()),
    };
  }
}

export const STATISTICS_READER = token<StatisticsReader>('gateway:statistics-reader');
