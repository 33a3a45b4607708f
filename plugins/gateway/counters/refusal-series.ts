import { isoTime, token, type BatchInsert, type Database } from '../../../core/index.ts';
import { defineTimeRollup, type TimeRollup, type TimeRollups } from '../../invocation/contract.ts';
import type { RefusalsAnswer, RefusalsQuery } from '../schemas.ts';
import type { RefusalCode } from './gateway-counters.ts';

/** Stands for all algorithms. */
const ALL = '';

/** The roll-up of refused requests by algorithm, and of all together. */
export const refusalRollup = defineTimeRollup({
  table: 'gateway_refusals',
  key: { algorithm_id: 'text', code: 'text' },
  sums: ['requests'],
});

/** Refusals with the same code of requests to call an algorithm. */
export interface Refused {
  readonly code: RefusalCode;
  /** Absent where it is not known, or the caller sees none. */
  readonly algorithmId: string | undefined;
  /** A time in the minute of the refusals. */
  readonly at: number;
  readonly requests: number;
}

interface SumRow {
  readonly begins_at: number;
  readonly code: string;
  readonly requests: number;
}

/** Counts refused requests over time. */
export class RefusalSeries {
  readonly #database: Pick<Database, 'read'>;
  readonly #rollups: TimeRollups;
  readonly #rollup: TimeRollup;

  constructor({
    database,
    rollups,
  }: {
    readonly database: Pick<Database, 'read'>;
    readonly rollups: TimeRollups;
  }) {
    this.#database = database;
    this.#rollups = rollups;
    this.#rollup = rollups.keep(refusalRollup);
  }

  /** The insert that adds refusals. */
  add(refused: Iterable<Refused>): BatchInsert {
    return this.#rollup.append(
      Array.from(refused).flatMap(({ at, code, algorithmId, requests }) =>
        [ALL, ...(algorithmId === undefined ? [] : [algorithmId])].map(
          (id) => [at, id, code, requests] as const,
        ),
      ),
    );
  }

  /** The refusals of an algorithm, or of all. Throws `ValidationFailed`. */
  async of({ algorithm_id = ALL, ...query }: RefusalsQuery): Promise<RefusalsAnswer> {
    const { start, end, begins } = this.#rollups.rangeOf(query);
    const sums = this.#database.read<SumRow>(
      `SELECT begins_at, code, SUM(requests) AS requests FROM gateway_refusals
       WHERE algorithm_id = ? AND bucket = ? AND begins_at >= ? AND begins_at < ? GROUP BY begins_at, code`,
    );
    const rows = await sums.all(algorithm_id, query.bucket, start, end);
    const byBegin = new Map<number, SumRow[]>();
    for (const row of rows) byBegin.set(row.begins_at, [...(byBegin.get(row.begins_at) ?? []), row]);
    return {
      bucket: query.bucket,
      start: isoTime(start),
      end: isoTime(end),
      points: begins.map((begin) => ({ at: isoTime(begin), refusals: countsOf(byBegin.get(begin) ?? []) })),
      total: countsOf(rows),
    };
  }
}

function countsOf(rows: readonly SumRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code, requests } of rows) counts[code] = (counts[code] ?? 0) + requests;
  return counts;
}

export const REFUSAL_SERIES = token<RefusalSeries>('gateway:refusal-series');
