import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Engine } from '../../core/index.ts';
import { makeScratch, type Scratch } from '../../core/testing.ts';
import { prepareCalls } from './support/called.ts';
import { withCleanup, type Cleanup } from './support/cleanup.ts';
import { startLoad, type Measured } from './support/load.ts';
import type { Options } from './support/options.ts';
import { processorTime } from './support/processor-time.ts';
import { startProgram } from './support/program.ts';
import { progress } from './support/progress.ts';
import { histogram, table, whole, type Section } from './support/report.ts';
import { startService } from './support/service.ts';

const CONNECTIONS = 50;
const WARM_UP_S = 3;
const WITHOUT_SAMPLES = { env: { PLUGINS_DISABLED: 'samples' } };

interface Found {
  readonly name: string;
  readonly report: Measured;
  /** Microseconds of the database server for each call; NaN where it is part of the service. */
  readonly databaseCost: number;
  /** Of the tables, their indexes and what else the database keeps. */
  readonly bytesEach: number;
}

/** What one call takes of the service, of the database and of the disk: the figures behind docs/capacity.md. */
export function measureCapacity({ seconds, rounds }: Options): Promise<Section[]> {
  return withCleanup(async (cleanup) => {
    const found = [
      await take('sqlite', seconds * rounds, cleanup),
      await take('postgres', seconds * rounds, cleanup),
    ];
    const rows = found.map(({ name, report, databaseCost, bytesEach }) => [
      name,
      whole(report.perSecond),
      whole(report.cost),
      whole(databaseCost),
      whole(bytesEach),
      histogram([report]),
    ]);
    const head = [
      'Engine',
      'Calls/s',
      'Service CPU µs each',
      'Database CPU µs each',
      'Bytes kept each',
      'Answers',
    ];
    return [{ title: `What a call takes, ${CONNECTIONS} connections`, lines: table(head, rows) }];
  });
}

async function take(engine: Engine, seconds: number, cleanup: Cleanup): Promise<Found> {
  progress(engine);
  const store = await makeScratch(engine);
  cleanup.later(() => store.remove());
  const upstream = cleanup.add(await startProgram('upstream', 'load'));
  const load = cleanup.add(await startLoad());
  // The first start makes the tables; what SQLite has in its log is moved into the file by a stop.
  await (await startService(store, WITHOUT_SAMPLES)).stop();
  const empty = await size(store);
  const service = await startService(store, WITHOUT_SAMPLES);
  const called = await prepareCalls(service, upstream.port);
  const subject = called.through('/algorithms/call');
  await load.run({ ...subject, connections: CONNECTIONS, seconds: WARM_UP_S });
  const before = { calls: await called.recorded(), time: databaseTime() };
  const report = await load.run({ ...subject, connections: CONNECTIONS, seconds });
  const spent = databaseTime() - before.time;
  const calls = await called.recorded();
  await service.stop();
  return {
    name: engine === 'sqlite' ? 'SQLite' : 'PostgreSQL',
    report,
    databaseCost: engine === 'sqlite' ? NaN : spent / (calls - before.calls),
    bytesEach: ((await size(store)) - empty) / calls,
  };
}

/** Microseconds that all processes of PostgreSQL servers on this machine have spent; NaN where there are none. */
function databaseTime(): number {
  const times = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandOf(name) === 'postgres')
    .map((pid) => processorTime(Number(pid)))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? NaN : times.reduce((sum, time) => sum + time, 0);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

async function size({ dataDir, databaseUrl }: Scratch): Promise<number> {
  if (databaseUrl.startsWith('sqlite:')) {
    const files = readdirSync(dataDir).filter((name) => /\.db(-wal)?$/.test(name));
    return files.reduce((sum, name) => sum + statSync(join(dataDir, name)).size, 0);
  }
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ bytes: string }>(
      `SELECT sum(pg_total_relation_size(c.oid)) AS bytes FROM pg_class c
         JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema() AND c.relkind = 'r'`,
    );
    return Number(rows[0]!.bytes);
  } finally {
    await client.end();
  }
}
