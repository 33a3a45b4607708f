import { setImmediate as turn } from 'node:timers/promises';
import { lowestIdAt, type BatchChange, type Clock, type Database, type Engine } from '../../../core/index.ts';
import { dayOfRecord } from '../rollups/call-totals.ts';
import { ALL_TIME, createKeptCalls } from '../reading/kept-calls.ts';
import { PAYLOAD_BYTES, withinBytes, type Sized } from '../recording/payload-bytes.ts';
import { expiredNote } from '../payload/expired-note.ts';
import { countGone } from './gone.ts';
import { tooOldBelow, type Limit } from './limits.ts';
import { createMarks, moveMark, type Kept } from './marks.ts';
import { createNewest } from './newest.ts';

/** Bytes of JSON that one transaction throws away, beyond one record: their pages must be visited. */
const MAX_BYTES = 4_194_304;
/** What a call may take besides its endpoint until its record is stored, and what clocks of instances differ by. */
const MARGIN_MS = 60_000;

interface PayloadCandidate extends Sized {
  /** 0 when its payload went already. */
  readonly has_payload: number;
}

/** Records that are thrown away together. */
export interface Doomed {
  readonly rows: number;
  readonly changes: readonly BatchChange[];
}

export interface BatchesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly settings: { readonly timeout_ms: number; readonly retention_batch_rows: number };
  /** Asked before each read; no more batches come when it says no. */
  readonly goOn: () => Promise<boolean>;
}

/** Finds what is to be thrown away next, the oldest first. */
export class Batches {
  readonly #deps: BatchesDeps;
  readonly #marks;
  readonly #newest;
  readonly #records;
  readonly #payloads;
  readonly #sql: Record<Kept, readonly string[]>;
  readonly #kept;

  constructor(deps: BatchesDeps) {
    const { database } = deps;
    this.#deps = deps;
    this.#marks = createMarks(database);
    this.#newest = createNewest(database);
    this.#kept = createKeptCalls(database);
    this.#sql = changeSql(database.engine);
    this.#records = database.read<Sized>(
      `SELECT id, ${PAYLOAD_BYTES} AS size FROM invocation_calls ORDER BY id LIMIT ?`,
    );
    this.#payloads = database.read<PayloadCandidate>(
      `SELECT id, ${PAYLOAD_BYTES} AS size, CASE WHEN payload = ${expiredNote(database.engine)} THEN 0 ELSE 1 END AS has_payload
       FROM invocation_calls WHERE id > ? ORDER BY id LIMIT ?`,
    );
  }

  /** Batches of records beyond the limit. Each must be written before the next is asked for. */
  async *records(limit: Limit): AsyncGenerator<Doomed> {
    const { clock, goOn, settings } = this.#deps;
    while (await goOn()) {
      const from = (await this.#marks()).records;
      const surplus = limit.count === undefined ? 0 : (await this.#kept({}, ALL_TIME)) - limit.count;
      const below = tooOldBelow(limit, clock.now());
      // A record that was set aside in an outage comes late: it lies before the mark, and goes with its like.
      const oldest = await this.#records.all(settings.retention_batch_rows);
      const ids = idsOf(
        withinBytes(
          oldest.filter(({ id }, index) => index < surplus || id < below),
          MAX_BYTES,
        ),
      );
      const last = ids.at(-1);
      if (last === undefined) return;
      const horizon = higher(last, from.horizon);
      const mark = moveMark('records', from, { horizon, passed: from.passed + ids.length });
      // The mark first: whoever else is at the same records waits there, and then finds them gone.
      yield { rows: ids.length, changes: [mark, ...this.#changes('records', ids)] };
    }
  }

  /** Batches of records whose payloads are beyond the limit. Each must be written before the next is asked for. */
  async *payloads(limit: Limit): AsyncGenerator<Doomed> {
    const { clock, goOn, settings } = this.#deps;
    const now = clock.now();
    // Calls in flight are stored with ids from here on: the mark stays below, and the next run looks again.
    const settled = lowestIdAt(now - settings.timeout_ms - MARGIN_MS);
    const newest = limit.count === undefined ? '' : await this.#newest(limit.count, goOn);
    const below = higher(tooOldBelow(limit, now), newest);
    if (below === '') return;
    let after = lower((await this.#marks()).payloads.horizon, settled);
    while (await goOn()) {
      const oldest = await this.#payloads.all(after, settings.retention_batch_rows);
      const some = withinBytes(
        oldest.filter(({ id }) => id < below),
        MAX_BYTES,
      );
      const last = some.at(-1)?.id;
      if (last === undefined) return;
      after = last;
      const changes = await this.#expire(idsOf(some.filter((one) => one.has_payload)), lower(last, settled));
      if (changes) yield changes;
      else await turn();
    }
  }

  async #expire(ids: readonly string[], horizon: string): Promise<Doomed | undefined> {
    const { records, payloads } = await this.#marks();
    if (ids.length === 0 && horizon === payloads.horizon) return undefined;
    // Versions that went by the number, which may run beside this one, count in it the records that are gone.
    const passed = Math.max(records.passed, payloads.passed) + ids.length;
    const mark = moveMark('payloads', payloads, { horizon, passed });
    return {
      rows: ids.length,
      changes: ids.length === 0 ? [mark] : [mark, ...this.#changes('payloads', ids)],
    };
  }

  /** The bounds say which partitions they are in. */
  #changes(kept: Kept, ids: readonly string[]): readonly BatchChange[] {
    const values = [JSON.stringify(ids), ids[0]!, ids.at(-1)!];
    return this.#sql[kept].map((sql) => ({ sql, values }));
  }
}

function idsOf(candidates: readonly Sized[]): readonly string[] {
  return candidates.map(({ id }) => id);
}

function lower(a: string, b: string): string {
  return a < b ? a : b;
}

function higher(a: string, b: string): string {
  return a > b ? a : b;
}

/** Each one text for any number of ids, so that it is prepared once. */
function changeSql(engine: Engine): Record<Kept, readonly string[]> {
  const listed =
    engine === 'postgres'
      ? 'id = ANY(ARRAY(SELECT json_array_elements_text(?::json)))'
      : 'id IN (SELECT value FROM json_each(?))';
  const theirs = `${listed} AND id >= ? AND id <= ?`;
  const day = dayOfRecord[engine];
  const counted = countGone(
    `SELECT user_id, ${day} AS day, algorithm_id, status, 1 AS calls FROM invocation_calls WHERE ${theirs}`,
  );
  return {
    records: [...counted, `DELETE FROM invocation_calls WHERE ${theirs}`],
    payloads: [
      `UPDATE invocation_calls SET input_data = NULL, params = NULL, output_data = NULL,
        payload = ${expiredNote(engine)} WHERE ${theirs}`,
    ],
  };
}
