import { isoTime, timeOfId, type Connection, lowestIdAt } from '../../../core/index.ts';

/**
 * A partition of `invocation_calls` on PostgreSQL. Partitions leave no gap, the first has no lower bound and the last no
 * upper bound, so that every record fits into one even when a clock was wrong.
 */
export interface Partition {
  readonly name: string;
  /** The lowest id of the partition; empty for the first. */
  readonly from: string;
  /** The lowest id of the next partition; `undefined` for the last. */
  readonly until: string | undefined;
  readonly bytes: number;
}

interface PartitionRow {
  readonly name: string;
  readonly bounds: string;
  readonly bytes: number;
}

/** The partition without a lower bound. It stays when its months are dropped. */
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

/** The partition that `bound` would split; `undefined` when one begins there. */
export function partitionAround(bound: string, partitions: readonly Partition[]): Partition | undefined {
  return partitions.find(({ from, until }) => from < bound && (until === undefined || bound < until));
}

/** The name of the partition that begins with the month of `bound`. */
export function nameFrom(bound: string): string {
  return `invocation_calls_${isoTime(timeOfId(bound)).slice(0, 7).replace('-', '_')}`;
}

/** SQL that attaches a table as a partition with these bounds. */
export function attach(name: string, { from, until }: Pick<Partition, 'from' | 'until'>): string {
  const lower = from === '' ? 'MINVALUE' : `'${from}'`;
  const upper = until === undefined ? 'MAXVALUE' : `'${until}'`;
  return `ALTER TABLE invocation_calls ATTACH PARTITION "${name}" FOR VALUES FROM (${lower}) TO (${upper})`;
}

/** The lowest ids of the UTC months after a time, the next month first. */
export function monthsAfter(now: number, count: number): string[] {
  const date = new Date(now);
  return Array.from({ length: count }, (_, index) =>
    lowestIdAt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1 + index)),
  );
}
