import { DATABASE, LOGGER, newId, timeOfId, type Database, type Logger } from '../../../core/index.ts';
import type { TestKernel } from '../../../core/testing.ts';
import { callInsert, finishedOf, type CallRow } from '../../../plugins/invocation/recording/call-row.ts';
import { totalsHook } from '../../../plugins/invocation/rollups/call-rollups.ts';
import { seriesHook } from '../../../plugins/invocation/rollups/series/series-hook.ts';
import { makeMonthsAhead } from '../../../plugins/invocation/partitions/month-partitions.ts';

/** Whose calls, and how many in all; a fifth of them are the busy user's. */
export interface Filling {
  readonly records: number;
  readonly busyUser: string;
  /** Who made the others; users that do not exist where it is absent. */
  readonly others?: readonly string[];
  readonly algorithms: readonly Called[];
}

interface Called {
  readonly id: string;
  readonly versionId: string;
}

/** Days over which the records are spread, up to now. */
export const DAYS = 90;
const DAY_MS = 86_400_000;
const BATCH = 500;
const OTHER_USERS = 500;
/** Has no divisor in common with users and algorithms, so that all of them fail alike. */
const FAILED_EVERY = 23;
const TOLD_EVERY = 250_000;

/** Writes records and their roll-ups as the recorder of calls does, many thousands a second. */
export async function fillHistory(kernel: TestKernel, filling: Filling): Promise<void> {
  await beginMonths(kernel.get(DATABASE), kernel.get(LOGGER));
  await write(kernel.get(DATABASE), filling);
}

/** As they began one after the other while the service ran: PostgreSQL has a partition for each. */
async function beginMonths(database: Database, logger: Logger): Promise<void> {
  for (let at = Date.now() - DAYS * DAY_MS; at < Date.now(); at += 28 * DAY_MS) {
    const clock = { now: () => at, elapsed: () => performance.now() };
    await makeMonthsAhead({ database, clock, logger });
  }
}

async function write(database: Database, filling: Filling): Promise<void> {
  const began = Date.now() - DAYS * DAY_MS;
  const distance = (DAYS * DAY_MS) / filling.records;
  const others = filling.others ?? Array.from({ length: OTHER_USERS }, () => newId());
  const hooks = [totalsHook(database), seriesHook];
  for (let first = 0; first < filling.records; first += BATCH) {
    const count = Math.min(BATCH, filling.records - first);
    const rows = Array.from({ length: count }, (_, offset) => {
      const number = first + offset;
      const user = number % 5 === 0 ? filling.busyUser : others[number % others.length]!;
      return record(
        number,
        user,
        filling.algorithms[number % filling.algorithms.length]!,
        began + number * distance,
      );
    });
    const finished = rows.map(finishedOf);
    await database.write([callInsert(rows), ...hooks.flatMap((one) => one.rowsFor(finished))]);
    if ((first + count) % TOLD_EVERY === 0) process.stderr.write(`  ${first + count} records\n`);
  }
  // PostgreSQL does so by itself after a minute. Without it, reading an index visits the table for each entry.
  if (database.engine === 'postgres') await database.knex.raw('VACUUM (ANALYZE)');
}

function record(number: number, userId: string, { id: algorithmId, versionId }: Called, at: number): CallRow {
  const id = newId(at);
  const isGood = number % FAILED_EVERY !== 0;
  const createdAt = timeOfId(id);
  return {
    id,
    user_id: userId,
    algorithm_id: algorithmId,
    version_id: versionId,
    channel: 'direct',
    status: isGood ? 'success' : 'failed',
    error_code: isGood ? null : 'upstream_error',
    error_message: isGood ? null : 'The endpoint failed with status 500.',
    input_data: `{"text":"A vitrine is a glass cabinet. ${'What it shows is precious. '.repeat(10)}","n":${number}}`,
    params: '{}',
    output_data: isGood ? `{"label":"cat","score":0.97,"boxes":[[12,40,220,310]],"n":${number}}` : null,
    response_time: 0.012,
    created_at: createdAt,
    updated_at: createdAt + 12,
    request_id: id,
  };
}
