import { setImmediate as turn } from 'node:timers/promises';
import { newId, type BatchInsert } from '../../core/index.ts';
import { openDatabase } from '../../core/persistence/open-database.ts';
import { makeScratch, systemClock } from '../../core/testing.ts';
import { withCleanup, type Cleanup } from './support/cleanup.ts';
import type { LoadReport } from './support/load.ts';
import type { Options } from './support/options.ts';
import { makePlainFile, plainInsert, plainWriterThread, type PlainRecord } from './support/plain-records.ts';
import { histogram, precise, table, targets, whole, type Section } from './support/report.ts';
import { interleaved, median, medianRatio } from './support/rounds.ts';
import { Tally } from './support/tally.ts';

const OURS = 'Vitrine';
const PLAIN = 'better-sqlite3 alone';
/** Of what the slower one can do. */
const LOAD_SHARE = 0.3;
/** As many rounds long as it takes until the log has been filled more than once. */
const LENGTH = 3;
const MOST_AT_ONCE = 200;
const PAYLOAD = 'x'.repeat(2_000);

type Write = (batch: BatchInsert) => Promise<unknown>;

/** How long rows wait until they are durable on SQLite, while its log fills and is copied into the file. */
export function measureCommits({ rounds, seconds }: Options): Promise<Section[]> {
  return withCleanup(async (cleanup) => {
    const writes = new Map<string, Write>([
      [OURS, await ours(cleanup)],
      [PLAIN, await plain(cleanup)],
    ]);
    const capacities: number[] = [];
    for (const write of writes.values()) capacities.push(await capacityOf(write, seconds));
    const perSecond = LOAD_SHARE * Math.min(...capacities);
    const reports = await interleaved([...writes.keys()], rounds, (name) =>
      commitEvenly(writes.get(name)!, { perSecond, seconds: LENGTH * seconds }),
    );
    return [{ title: 'Commits on SQLite', lines: lines(reports, perSecond) }];
  });
}

async function scratchFile(cleanup: Cleanup): Promise<string> {
  const scratch = await makeScratch('sqlite');
  cleanup.later(() => scratch.remove());
  return makePlainFile(scratch.databaseUrl);
}

async function ours(cleanup: Cleanup): Promise<Write> {
  const silent = {
    debug: () => {},
    info: () => {},
    warn: console.warn,
    error: console.error,
    child: () => silent,
  };
  const database = await openDatabase({
    url: `sqlite:${await scratchFile(cleanup)}`,
    dataDir: '.',
    logger: silent,
    clock: systemClock,
    settings: {
      url: '',
      pool_size: 1,
      read_pool_size: 1,
      connect_timeout_ms: 5_000,
      statement_timeout_ms: 5_000,
      busy_timeout_ms: 5_000,
      backup_before_upgrade: false,
    },
  });
  cleanup.later(() => database.close());
  return (batch) => database.write([batch]);
}

async function plain(cleanup: Cleanup): Promise<Write> {
  const thread = plainWriterThread(await scratchFile(cleanup));
  cleanup.later(() => thread.end());
  return (batch) => thread.ask(batch);
}

/** Rows that became durable in a second when there are always more. */
async function capacityOf(write: Write, seconds: number): Promise<number> {
  const ends = performance.now() + 1000 * seconds;
  let done = 0;
  for (; performance.now() < ends; done += MOST_AT_ONCE) await write(batchOf(MOST_AT_ONCE));
  return done / seconds;
}

/** Rows fall due evenly, and all that are due are committed together; their time counts from when they were due. */
async function commitEvenly(
  write: Write,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<LoadReport> {
  const tally = new Tally();
  const total = Math.floor(perSecond * seconds);
  const began = performance.now();
  const dueAt = (n: number): number => began + (1000 * n) / perSecond;
  for (let done = 0; done < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - began) * perSecond) / 1000)) - done;
    const count = Math.min(due, MOST_AT_ONCE);
    if (count < 1) {
      await turn();
      continue;
    }
    await write(batchOf(count));
    const durable = performance.now();
    for (const end = done + count; done < end; done += 1) {
      tally.add({ kind: '200', at: durable, took: durable - dueAt(done) });
    }
  }
  return tally.report(seconds);
}

function batchOf(count: number): BatchInsert {
  return plainInsert(Array.from({ length: count }, row));
}

function row(): PlainRecord {
  const id = newId();
  return [id, `user ${id.charCodeAt(id.length - 1)}`, `algorithm ${id.charCodeAt(id.length - 2)}`, PAYLOAD];
}

function lines(reports: ReadonlyMap<string, readonly LoadReport[]>, perSecond: number): string[] {
  const all = (name: string, which: 'p50' | 'p99' | 'max'): number[] =>
    reports.get(name)!.map(({ good }) => good[which]);
  const rows = Array.from(reports, ([name, runs]) => [
    name,
    precise(median(all(name, 'p50'))),
    precise(median(all(name, 'p99'))),
    precise(Math.max(...all(name, 'max'))),
    histogram(runs),
  ]);
  return [
    `${whole(perSecond)} rows of 2 KB fall due in a second; what is due is committed together, with \`synchronous=FULL\`.`,
    ...table(['What', 'p50 ms', 'p99 ms', 'max ms', 'Rows (200: durable)'], rows),
    ...targets([
      {
        what: `p99 against ${PLAIN}`,
        value: medianRatio(all(OURS, 'p99'), all(PLAIN, 'p99')),
        must: 0.7,
        better: 'less',
      },
    ]),
  ];
}
