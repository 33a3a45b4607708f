import { isoTime, type Database } from '../../../core/index.ts';
import { defineTimeRollup, type TimeRollups } from '../../invocation/contract.ts';
import type { RefusalsAnswer, RefusalsQuery } from '../schemas.ts';

/** Stands for all algorithms. */
export const ALL = '';

/** The roll-up of refused requests by algorithm, and of all together. */
export const refusalRollup = defineTimeRollup({
  table: 'gateway_refusals',
  key: { algorithm_id: 'text', code: 'text' },
  sums: ['requests'],
});

interface SumRow {
  readonly begins_at: number;
  readonly code: string;
  readonly requests: number;
}

/** The refusals of an algorithm, or of all, over time. Throws `ValidationFailed`. */
export async function refusalSeries(
  { database, rollups }: { readonly database: Pick<Database, 'read'>; readonly rollups: TimeRollups },
  { algorithm_id = ALL, ...query }: RefusalsQuery,
): Promise<RefusalsAnswer> {
  const { start, end, begins } = rollups.rangeOf(query);
  const sums = database.read<SumRow>(
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

function countsOf(rows: readonly SumRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code, requests } of rows) counts[code] = (counts[code] ?? 0) + requests;
  return counts;
}
