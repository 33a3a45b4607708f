import type { BatchChange, Database, Engine } from '../../../core/index.ts';
import type { CallStatistics } from '../contract.ts';
import { expiredNote } from '../payload/expired-note.ts';
import { tooOldBelow, type Limit } from './limits.ts';
import { createMarks, moveMark, type Kept, type Mark } from './marks.ts';

/** Bytes of JSON that one transaction throws away, beyond one record: their pages must be visited. */
const MAX_BYTES = 4_194_304;

interface Candidate {
  readonly id: string;
  readonly size: number;
}

/** Records that are thrown away together. */
export interface Doomed {
  readonly rows: number;
  readonly changes: readonly BatchChange[];
}

/** Finds what is to be thrown away next, the oldest first. */
export class Batches {
  readonly #statistics: CallStatistics;
  readonly #marks;
  readonly #oldest;
  readonly #sql: Record<Kept, string>;

  constructor(database: Database, statistics: CallStatistics) {
    this.#statistics = statistics;
    this.#marks = createMarks(database);
    this.#sql = changeSql(database.engine);
    this.#oldest = database.read<Candidate>(
      `SELECT id, COALESCE(octet_length(input_data), 0) + COALESCE(octet_length(params), 0)
         + COALESCE(octet_length(output_data), 0) AS size
       FROM invocation_calls WHERE id > ? ORDER BY id LIMIT ?`,
    );
  }

  /** At most `rows` records beyond the limit; none when all that is left is to be kept. */
  async next(kept: Kept, limit: Limit, rows: number, now: number): Promise<Doomed | undefined> {
    const marks = await this.#marks();
    const from = startOf(kept, marks);
    const surplus = await this.#surplus(limit, from);
    const below = tooOldBelow(limit, now);
    // A record that was set aside in an outage comes late: it lies before the mark, and goes with its like.
    const oldest = await this.#oldest.all(kept === 'records' ? '' : from.horizon, rows);
    const doomed = withinBytes(oldest.filter(({ id }, index) => index < surplus || id < below));
    const [first, last] = [doomed[0]?.id, doomed.at(-1)?.id];
    if (first === undefined || last === undefined) return undefined;
    const to = { horizon: last > from.horizon ? last : from.horizon, passed: from.passed + doomed.length };
    const ids = JSON.stringify(doomed.map(({ id }) => id));
    return {
      rows: doomed.length,
      changes: [{ sql: this.#sql[kept], values: [ids, first, last] }, moveMark(kept, marks[kept], to)],
    };
  }

  /** Roll-ups count every record there ever was, so that nothing needs counting. */
  async #surplus({ count }: Limit, { passed }: Mark): Promise<number> {
    if (count === undefined) return 0;
    return (await this.#statistics.totals({})).total_calls - passed - count;
  }
}

/** Payloads of records that are gone are gone as well. */
function startOf(kept: Kept, { records, payloads }: Record<Kept, Mark>): Mark {
  if (kept === 'records' || payloads.passed > records.passed) return kept === 'records' ? records : payloads;
  return records;
}

function withinBytes(candidates: readonly Candidate[]): readonly Candidate[] {
  let bytes = 0;
  const fit = candidates.findIndex(({ size }, index) => (bytes += size) > MAX_BYTES && index > 0);
  return fit === -1 ? candidates : candidates.slice(0, fit);
}

/** One text for any number of ids, so that it is prepared once; the bounds say which partitions they are in. */
function changeSql(engine: Engine): Record<Kept, string> {
  const listed =
    engine === 'postgres'
      ? 'id = ANY(ARRAY(SELECT json_array_elements_text(?::json)))'
      : 'id IN (SELECT value FROM json_each(?))';
  const theirs = `${listed} AND id >= ? AND id <= ?`;
  return {
    records: `DELETE FROM invocation_calls WHERE ${theirs}`,
    payloads: `UPDATE invocation_calls SET input_data = NULL, params = NULL, output_data = NULL,
      payload = ${expiredNote(engine)} WHERE ${theirs}`,
  };
}
