import { setImmediate as nextTurn } from 'node:timers/promises';
import { lowestIdAt, type Clock, type Database, type Engine } from '../../../core/index.ts';
import { expiredNote } from '../payload/expired-note.ts';
import { idsOf } from '../recording/call-row.ts';
import { PAYLOAD_BYTES, withinBytes, type Sized } from '../recording/payload-bytes.ts';
import { ALL_TIME, createKeptCalls } from '../rollups/kept-calls.ts';
import { countDeleted } from './deleted.ts';
import { tooOldBelow, type Limit } from './limits.ts';
import { createMarks, moveMark, type RetentionKind } from './marks.ts';
import { createNewest } from './newest.ts';

/** Records that one transaction changes or deletes. */
export const BATCH_ROWS = 200;
/** Bytes of JSON that one transaction deletes, since all their pages are visited; a single record may be larger. */
export const BATCH_BYTES = 4_194_304;
/** Allows for the time between the end of a call and its record, and for differences between clocks. */
const MARGIN_MS = 60_000;

interface PayloadCandidate extends Sized {
  /** 0 when the payload was deleted already. */
  readonly has_payload: number;
}

/** Records that one transaction deletes, or whose payloads it deletes. */
export interface Batch {
  readonly rows: number;
  readonly changes: Parameters<Database['write']>[1];
}

export interface BatchesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly settings: { readonly timeout_ms: number };
}

/** Finds the records and payloads to delete, the oldest first. */
export class Batches {
  readonly #deps: BatchesDeps;
  readonly #marks;
  readonly #newest;
  readonly #records;
  readonly #payloads;
  readonly #sql: Record<RetentionKind, readonly string[]>;
  readonly #kept;

  constructor(deps: BatchesDeps) {
    const { database } = deps;
    this.#deps = deps;
    this.#marks = createMarks(database);
    this.#newest = createNewest(database);
    this.#kept = createKeptCalls(database);
    this.#sql = changeSql(database.engine);
    this.#records = database.read<Sized>(
      `SELECT id, ${PAYLOAD_BYTES} AS size FROM invocation_calls ORDER BY id LIMIT ${BATCH_ROWS}`,
    );
    this.#payloads = database.read<PayloadCandidate>(
      `SELECT id, ${PAYLOAD_BYTES} AS size, CASE WHEN payload = ${expiredNote(database.engine)} THEN 0 ELSE 1 END AS has_payload
       FROM invocation_calls WHERE id > ? ORDER BY id LIMIT ${BATCH_ROWS}`,
    );
  }

  /** Yields batches of records beyond the limit. The caller must delete each batch before it requests the next. */
  async *records(limit: Limit, signal: AbortSignal): AsyncGenerator<Batch> {
    const { clock } = this.#deps;
    while (!signal.aborted) {
      const surplus = limit.count === undefined ? 0 : (await this.#kept({}, ALL_TIME)) - limit.count;
      const below = tooOldBelow(limit, clock.now());
      // Reads from the beginning, since records from the spool may be older than the mark.
      const oldest = await this.#records.all();
      const ids = idsOf(
        withinBytes(
          oldest.filter(({ id }, index) => index < surplus || id < below),
          BATCH_BYTES,
        ),
      );
      const last = ids.at(-1);
      if (last === undefined) return;
      const { records } = await this.#marks();
      yield this.#batch('records', ids, higher(last, records));
    }
  }

  /** Yields batches of records whose payloads are beyond the limit. Delete each before requesting the next. */
  async *payloads(limit: Limit, signal: AbortSignal): AsyncGenerator<Batch> {
    const { clock, settings } = this.#deps;
    const now = clock.now();
    // Records of calls in flight may still get ids from here on, so the mark stays below and the next run checks again.
    const settled = lowestIdAt(now - settings.timeout_ms - MARGIN_MS);
    const newest = limit.count === undefined ? '' : await this.#newest(limit.count, signal);
    const below = higher(tooOldBelow(limit, now), newest);
    if (below === '') return;
    const mark = (await this.#marks()).payloads;
    let after = lower(mark, settled);
    while (!signal.aborted) {
      const oldest = await this.#payloads.all(after);
      const some = withinBytes(
        oldest.filter(({ id }) => id < below),
        BATCH_BYTES,
      );
      const last = some.at(-1)?.id;
      if (last === undefined) return;
      after = last;
      const ids = idsOf(some.filter((one) => one.has_payload));
      const horizon = lower(last, settled);
      if (ids.length > 0 || horizon > mark) yield this.#batch('payloads', ids, horizon);
      else await nextTurn();
    }
  }

  #batch(kind: RetentionKind, ids: readonly string[], horizon: string): Batch {
    const mark = moveMark(kind, horizon);
    if (ids.length === 0) return { rows: 0, changes: [mark] };
    const values = valuesOf(ids);
    return { rows: ids.length, changes: [mark, ...this.#sql[kind].map((sql) => ({ sql, values }))] };
  }
}

/** The values of each statement of `changeSql`, for ids in order. The bounds let PostgreSQL prune partitions. */
export function valuesOf(ids: readonly string[]): readonly string[] {
  return [JSON.stringify(ids), ids[0]!, ids.at(-1)!];
}

function lower(a: string, b: string): string {
  return a < b ? a : b;
}

function higher(a: string, b: string): string {
  return a > b ? a : b;
}

/** SQL for the `isoDay` of a record. */
const dayOfRecord: Record<Engine, string> = {
  sqlite: `strftime('%Y-%m-%d', created_at / 1000, 'unixepoch')`,
  postgres: `to_char(to_timestamp(created_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
};

/** The statements have the same text for any number of ids, so that each is prepared once. */
export function changeSql(engine: Engine): Record<RetentionKind, readonly string[]> {
  const listed =
    engine === 'postgres'
      ? 'id = ANY(ARRAY(SELECT json_array_elements_text(?::json)))'
      : 'id IN (SELECT value FROM json_each(?))';
  const condition = `${listed} AND id >= ? AND id <= ?`;
  const counted = countDeleted(
    `SELECT user_id, ${dayOfRecord[engine]} AS day, algorithm_id, status, 1 AS calls
     FROM invocation_calls WHERE ${condition}`,
  );
  return {
    records: [...counted, `DELETE FROM invocation_calls WHERE ${condition}`],
    payloads: [
      `UPDATE invocation_calls SET input_data = NULL, params = NULL, output_data = NULL,
        payload = ${expiredNote(engine)} WHERE ${condition}`,
    ],
  };
}
