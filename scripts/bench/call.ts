import type { Engine } from '../../core/index.ts';
import { capacityOf } from './support/capacity-of.ts';
import { plainCall, prepareCalls, type Called, type Subject } from './support/called.ts';
import { withCleanup, type Cleanup } from './support/cleanup.ts';
import { startDisk, type Disk } from './support/disk.ts';
import { startLoad, type Load, type Measured, type Times } from './support/load.ts';
import { nginxVersion, startNginx } from './support/nginx.ts';
import type { Options } from './support/options.ts';
import { startProgram } from './support/program.ts';
import { histogram, precise, table, targets, whole, type Section } from './support/report.ts';
import {
  inShortTurns,
  interleaved,
  median,
  medianRatio,
  rates,
  times,
  timesOfRounds,
  type Reports,
} from './support/rounds.ts';
import { startService } from './support/service.ts';
import { settle } from './support/settle.ts';
import { makeScratch, type Scratch } from '../../core/testing.ts';
import { progress } from './support/progress.ts';

const CONNECTIONS = 50;
/** Right before each window at half load: what a shared machine can do changes within minutes. */
const CAPACITY_SECONDS = 2;
/** For each round of the others: of few windows, chance decides how many have what the machine does every half minute. */
const WINDOWS_AT_HALF_LOAD = 2;
/** Of a window at half load. */
const SETTLE_SECONDS = 0.5;
/** Fewer than the writer of SQLite makes then, which are 500 to 1,000. */
const DISK_ORDER = { perSecond: 400, size: 16_384 };
const DISK = `the disk itself, ${DISK_ORDER.perSecond} synced writes of ${DISK_ORDER.size / 1024} KiB a second`;
const ENDPOINT = 'the endpoint itself';
/** As its users start it: with none of Node's flags. */
const FASTIFY = '@fastify/http-proxy';
const FASTIFY_TUNED = '@fastify/http-proxy with the flags of Vitrine';
const UNDICI = 'bare undici proxy';
const SQLITE_BARE = 'bare undici proxy that records, SQLite';
const POSTGRES_BARE = 'bare undici proxy that records, PostgreSQL';
const SQLITE = 'Vitrine on SQLite, /algorithms/call';
const SQLITE_GATEWAY = 'Vitrine on SQLite, /gateway/call';
const POSTGRES = 'Vitrine on PostgreSQL, /algorithms/call';
const POSTGRES_GATEWAY = 'Vitrine on PostgreSQL, /gateway/call';

interface Stage {
  readonly load: Load;
  readonly disk: Disk;
  readonly subjects: ReadonlyMap<string, Subject>;
  readonly services: readonly { readonly name: Engine; readonly called: Called }[];
}

/** The call beside proxies that only forward: fifty callers, one caller, and half of what it can do. */
export function measureCalls(options: Options): Promise<Section[]> {
  return withCleanup(async (cleanup) => {
    const stage = await prepare(cleanup);
    const busy = await fifty(stage, options);
    const doors = await throughBoth(stage, options);
    const lone = await one(stage, options);
    const half = await atHalfLoad(stage, options);
    return [
      { title: `The call, ${CONNECTIONS} connections`, lines: busyLines(busy) },
      { title: 'The gateway beside the direct call', lines: doorLines(doors) },
      { title: 'The call of a lone caller', lines: loneLines(lone) },
      { title: 'The call at half of what it can do', lines: halfLines(half) },
      { title: 'Records', lines: await recordLines(stage) },
    ];
  });
}

async function prepare(cleanup: Cleanup): Promise<Stage> {
  const upstream = cleanup.add(await startProgram('upstream', 'load'));
  const proxy = async (
    name: string,
    args: readonly string[] = [],
    flags?: readonly string[],
  ): Promise<Subject> =>
    plainCall(cleanup.add(await startProgram(name, 'server', [String(upstream.port), ...args], flags)));
  const recording = async (engine: Engine): Promise<Subject> =>
    proxy('recording-proxy', [(await scratch(engine, cleanup)).databaseUrl]);
  const onSqlite = await service('sqlite', upstream.port, cleanup);
  const onPostgres = await service('postgres', upstream.port, cleanup);
  const subjects = new Map<string, Subject>([
    [ENDPOINT, plainCall(upstream)],
    [FASTIFY, await proxy('fastify-proxy', [], [])],
    [FASTIFY_TUNED, await proxy('fastify-proxy')],
    [UNDICI, await proxy('undici-proxy')],
    [SQLITE_BARE, await recording('sqlite')],
    [POSTGRES_BARE, await recording('postgres')],
    [SQLITE, onSqlite.through('/algorithms/call')],
    [SQLITE_GATEWAY, onSqlite.through('/gateway/call')],
    [POSTGRES, onPostgres.through('/algorithms/call')],
    [POSTGRES_GATEWAY, onPostgres.through('/gateway/call')],
  ]);
  const nginx = nginxVersion();
  if (nginx) subjects.set(nginx, plainCall(cleanup.add(await startNginx(upstream.port))));
  return {
    load: cleanup.add(await startLoad()),
    disk: cleanup.add(await startDisk()),
    subjects,
    services: [
      { name: 'sqlite', called: onSqlite },
      { name: 'postgres', called: onPostgres },
    ],
  };
}

async function service(engine: Engine, upstreamPort: number, cleanup: Cleanup): Promise<Called> {
  return prepareCalls(cleanup.add(await startService(await scratch(engine, cleanup))), upstreamPort);
}

async function scratch(engine: Engine, cleanup: Cleanup): Promise<Scratch> {
  const store = await makeScratch(engine);
  cleanup.later(() => store.remove());
  return store;
}

function fifty({ load, subjects }: Stage, { rounds, seconds }: Options): Promise<Reports> {
  progress(`${CONNECTIONS} connections`);
  const names = [...subjects.keys()].filter((name) => name !== ENDPOINT);
  return interleaved(names, rounds, (name) =>
    load.run({ ...subjects.get(name)!, connections: CONNECTIONS, seconds }),
  );
}

async function throughBoth({ load, subjects }: Stage, options: Options): Promise<Reports> {
  const reports = new Map<string, readonly Measured[]>();
  for (const doors of [
    [SQLITE, SQLITE_GATEWAY],
    [POSTGRES, POSTGRES_GATEWAY],
  ]) {
    progress(doors.join(' beside '));
    const turns = await inShortTurns(doors, options, (name, seconds) =>
      load.run({ ...subjects.get(name)!, connections: CONNECTIONS, seconds }),
    );
    for (const [name, runs] of turns) reports.set(name, runs);
  }
  return reports;
}

function one({ load, subjects }: Stage, { rounds, seconds }: Options): Promise<Reports> {
  progress('one connection');
  return interleaved([...subjects.keys()], rounds, (name) =>
    load.run({ ...subjects.get(name)!, connections: 1, seconds: Math.min(seconds, 2) }),
  );
}

interface HalfLoad {
  readonly reports: Reports;
  readonly disk: readonly Times[];
}

/** One after the other: an idle server tidies its memory for seconds, on the core of the one that is measured. */
async function atHalfLoad({ load, disk, subjects }: Stage, { rounds, seconds }: Options): Promise<HalfLoad> {
  const windows = async <R>(name: string, measure: () => Promise<R>): Promise<readonly R[]> => {
    progress(`half load: ${name}`);
    await settle();
    return (await interleaved([name], WINDOWS_AT_HALF_LOAD * rounds, measure)).get(name)!;
  };
  const even = (name: string, perSecond: number): Promise<Measured> =>
    load.run({
      ...subjects.get(name)!,
      seconds,
      connections: CONNECTIONS,
      settleSeconds: SETTLE_SECONDS,
      perSecond,
    });
  const reports = new Map<string, readonly Measured[]>();
  for (const name of [SQLITE, SQLITE_BARE, POSTGRES, POSTGRES_BARE, FASTIFY]) {
    const half = async (): Promise<Measured> =>
      even(name, (await capacityOf(load, subjects.get(name)!, CAPACITY_SECONDS)) / 2);
    reports.set(name, await windows(name, half));
  }
  const rate = median(rates(reports, SQLITE));
  if (rate > 0) reports.set(ENDPOINT, await windows(ENDPOINT, () => even(ENDPOINT, rate)));
  return { reports, disk: await windows(DISK, () => disk.run({ ...DISK_ORDER, seconds })) };
}

function ratioIn(reports: Reports): (name: string, base: string) => number {
  return (name, base) => medianRatio(rates(reports, name), rates(reports, base));
}

/** `ratios` come after the times. */
function busyRows(reports: Reports, ratios: (name: string) => readonly string[] = () => []): string[][] {
  return Array.from(reports, ([name, runs]) => [
    name,
    whole(median(rates(reports, name))),
    `${precise(times(reports, name, 'p50'))} / ${precise(times(reports, name, 'p99'))}`,
    ...ratios(name),
    whole(median(runs.map(({ cost }) => cost))),
    histogram(runs),
  ]);
}

function busyLines(reports: Reports): string[] {
  const ratio = ratioIn(reports);
  const rows = busyRows(reports, (name) => [FASTIFY, UNDICI].map((base) => precise(ratio(name, base))));
  const head = [
    'What',
    'Requests/s',
    'p50 / p99 ms',
    `of ${FASTIFY}`,
    `of the ${UNDICI}`,
    'CPU µs each',
    'Answers',
  ];
  return [
    ...table(head, rows),
    ...targets(
      [FASTIFY, FASTIFY_TUNED].flatMap((peer) => [
        { what: `SQLite against ${peer}`, value: ratio(SQLITE, peer), must: 0.6, better: 'more' },
        { what: `PostgreSQL against ${peer}`, value: ratio(POSTGRES, peer), must: 0.7, better: 'more' },
      ]),
    ),
  ];
}

function doorLines(reports: Reports): string[] {
  const ratio = ratioIn(reports);
  return [
    ...table(['What', 'Requests/s', 'p50 / p99 ms', 'CPU µs each', 'Answers'], busyRows(reports)),
    ...targets([
      {
        what: 'Gateway against direct, SQLite',
        value: ratio(SQLITE_GATEWAY, SQLITE),
        must: 0.9,
        better: 'more',
      },
      {
        what: 'Gateway against direct, PostgreSQL',
        value: ratio(POSTGRES_GATEWAY, POSTGRES),
        must: 0.9,
        better: 'more',
      },
    ]),
  ];
}

function loneLines(reports: Reports): string[] {
  const added = (name: string): number => times(reports, name, 'p50') - times(reports, ENDPOINT, 'p50');
  const rows = Array.from(reports, ([name, runs]) => [
    name,
    precise(times(reports, name, 'p50')),
    precise(times(reports, name, 'p99')),
    name === ENDPOINT ? '' : precise(added(name)),
    histogram(runs),
  ]);
  return [
    ...table(['What', 'p50 ms', 'p99 ms', 'added to p50', 'Answers'], rows),
    ...targets([
      { what: 'Added on SQLite', value: added(SQLITE), must: 0.9, better: 'less', unit: ' ms' },
      { what: 'Added on PostgreSQL', value: added(POSTGRES), must: 1, better: 'less', unit: ' ms' },
    ]),
  ];
}

function halfLines({ reports, disk }: HalfLoad): string[] {
  const tail = (name: string): number =>
    medianRatio(timesOfRounds(reports, name, 'p99'), timesOfRounds(reports, name, 'p50'));
  const row = (name: string, p50s: readonly number[], p99s: readonly number[]): string[] => [
    name,
    precise(median(p50s)),
    precise(median(p99s)),
    precise(medianRatio(p99s, p50s)),
    p99s.map((p99, window) => precise(p99 / p50s[window]!)).join(', '),
  ];
  const rows = Array.from(reports, ([name, runs]) => [
    ...row(name, timesOfRounds(reports, name, 'p50'), timesOfRounds(reports, name, 'p99')),
    whole(median(rates(reports, name))),
    histogram(runs),
  ]);
  const ofDisk = (which: 'p50' | 'p99'): number[] => disk.map((window) => window[which]);
  rows.push([...row(DISK, ofDisk('p50'), ofDisk('p99')), whole(DISK_ORDER.perSecond), '']);
  return [
    `Requests fall due evenly, at half of what the same did with ${CONNECTIONS} callers in the ${CAPACITY_SECONDS} s right before each window; times count from when a request was due, and the first ${SETTLE_SECONDS} s of each window are not timed. ${ENDPOINT} gets as many as Vitrine on SQLite, and shows what is the machine's and the load's own; ${DISK}, shows how long a record may have to wait for it.`,
    ...table(['What', 'p50 ms', 'p99 ms', 'p99 / p50', 'in each window', 'Requests/s', 'Answers'], rows),
    ...targets([
      { what: 'p99 / p50 on SQLite', value: tail(SQLITE), must: 4, better: 'less' },
      { what: 'p99 / p50 on PostgreSQL', value: tail(POSTGRES), must: 4, better: 'less' },
    ]),
  ];
}

/** A call that was answered is on record, and nothing else is. */
async function recordLines({ services, load }: Stage): Promise<string[]> {
  const rows = services.map(async ({ name, called }) => {
    const answered = load.answered(called.through('/algorithms/call').port);
    return [name, whole(answered), whole(await called.recorded())];
  });
  return table(['Engine', 'Calls answered', 'Calls on record'], await Promise.all(rows));
}
