import { isoTime, timeOfId, type Connection } from '../../../core/index.ts';

/**
 * A part of `invocation_calls` on PostgreSQL. Together they leave no gap: the first has no beginning and the last no
 * end, so that every record fits into one, whatever the clock said that made its id.
 */
export interface Partition {
  readonly name: string;
  /** The lowest id that belongs here; empty in the first. */
  readonly from: string;
  /** The lowest id that belongs to the next one; `undefined` in the last. */
  readonly until: string | undefined;
  readonly bytes: number;
}

interface PartitionRow {
  readonly name: string;
  readonly bounds: string;
  readonly bytes: number;
}

/** The partition without a beginning, which stays when the months that it held are dropped. */
export const FIRST = 'invocation_calls_first';

const BOUNDS = /FROM \((?:MINVALUE|'([^']+)')\) TO \((?:MAXVALUE|'([^']+)')\)/;

/** All partitions, the oldest first. */
export async function partitionsOf(connection: Connection): Promise<Partition[]> {
  const { rows } = await connection.raw<{ rows: PartitionRow[] }>(
    `SELECT part.relname AS name, pg_get_expr(part.relpartbound, part.oid) AS bounds,
       pg_relation_size(part.oid) AS bytes
     FROM pg_inherits JOIN pg_class part ON part.oid = inhrelid
     WHERE inhparent = 'invocation_calls'::regclass`,
  );
  return rows.map(partitionOf).sort((one, other) => (one.from < other.from ? -1 : 1));
}

function partitionOf({ name, bounds, bytes }: PartitionRow): Partition {
  const [, from = '', until] = BOUNDS.exec(bounds) ?? [];
  return { name, from, until, bytes };
}

/** The partition that `bound` would cut in two; `undefined` where one begins already. */
export function partitionAround(bound: string, partitions: readonly Partition[]): Partition | undefined {
  return partitions.find(({ from, until }) => from < bound && (until === undefined || bound < until));
}

/** The name of the partition that begins with the month of `bound`. */
export function nameFrom(bound: string): string {
  return `invocation_calls_${isoTime(timeOfId(bound)).slice(0, 7).replace('-', '_')}`;
}

/** SQL that puts a table in its place among the others. */
export function attach(name: string, { from, until }: Pick<Partition, 'from' | 'until'>): string {
  const lower = from === '' ? 'MINVALUE' : `'${from}'`;
  const upper = until === undefined ? 'MAXVALUE' : `'${until}'`;
  return `ALTER TABLE invocation_calls ATTACH PARTITION "${name}" FOR VALUES FROM (${lower}) TO (${upper})`;
}
