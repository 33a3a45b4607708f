import { newId, type Engine } from '../../core/index.ts';
import { signIn, type Client } from './support/client.ts';
import { DAYS, fill } from './support/history-fill.ts';
import { gets, startLoad, type Subject } from './support/load.ts';
import type { Options } from './support/options.ts';
import { startService } from './support/processes.ts';
import { atMost, format, loadTable, printSection } from './support/report.ts';
import { loadInRounds, times } from './support/rounds.ts';
import { onStage, type Stage } from './support/stage.ts';

const SMALL = 100_000;
const DAY_MS = 86_400_000;
/** The small history is not that long, so this question shows no growth. */
const DEEP = 'page, skip 100,000';
const ALGORITHMS = Array.from({ length: 19 }, () => ({ id: newId(), versionId: newId() }));
const ONE_ALGORITHM = `algorithm_id=${ALGORITHMS[3]!.id}`;

/** What is asked, by name; the same at every size. */
type Questions = ReadonlyMap<string, Subject>;

/** History pages and statistics of a user with a fifth of all records, in a small and in a large table. */
export async function measureHistory(options: Options): Promise<void> {
  for (const engine of options.engines) await onStage((stage) => onEngine(stage, engine, options));
}

async function onEngine(stage: Stage, engine: Engine, { rounds, records, builds }: Options): Promise<void> {
  const load = stage.add(await startLoad());
  const bySize = new Map<number, Questions>();
  for (const size of [SMALL, records]) {
    process.stderr.write(`  ${engine}: writing ${format(size)} records\n`);
    bySize.set(size, await prepare(stage, engine, size, builds[0]!.root));
  }
  const subjects = new Map(
    [...bySize].flatMap(([size, questions]) =>
      Array.from(questions, ([name, subject]) => [`${name}, of ${size}`, subject] as const),
    ),
  );
  const reports = await loadInRounds(load, subjects, 1, { rounds, seconds: 1 });
  const p95 = (name: string, size: number): number => times(reports, `${name}, of ${size}`, 'p95');
  const names = [...bySize.get(SMALL)!.keys()];
  const growing = names.filter((name) => name !== DEEP);
  printSection(`History on ${engine}, one connection`, loadTable(reports), [
    ...names.map((name) => atMost(20, 'ms', `p95: ${name}, of ${records}`, p95(name, records))),
    ...growing.map((name) =>
      atMost(1.5, 'times', `Growth of p95: ${name}`, p95(name, records) / p95(name, SMALL)),
    ),
  ]);
}

async function prepare(stage: Stage, engine: Engine, size: number, root: string): Promise<Questions> {
  const store = await stage.store(engine);
  const first = await startService(store, { root });
  await signIn(first.url, 'admin');
  const { id: busyUser } = await signIn(first.url, 'busy');
  await first.stop();
  await fill(store, { records: size, busyUser, algorithms: ALGORITHMS });
  const service = stage.add(await startService(store, { root }));
  const busy = await signIn(service.url, 'busy');
  const admin = await signIn(service.url, 'admin');
  const pages = Object.entries(await pagesOf(busy, size)).map(
    ([name, query]) =>
      [name, gets(service, `/api/v1/history/user-calls?limit=20&${query}`, busy.token)] as const,
  );
  const statistics = '/api/v1/history/statistics';
  return new Map([
    ...pages,
    ['statistics, own', gets(service, statistics, busy.token)],
    ['statistics, own with one algorithm', gets(service, `${statistics}?${ONE_ALGORITHM}`, busy.token)],
    ['statistics, of everybody', gets(service, statistics, admin.token)],
  ]);
}

async function pagesOf(busy: Client, size: number): Promise<Record<string, string>> {
  const { next_cursor: cursor } = await busy.get<{ next_cursor: string }>(
    `/history/user-calls?limit=1&skip=${Math.floor(size / 10)}`,
  );
  const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
  const week = `start_date=${ago(DAYS / 2).slice(0, 10)}&end_date=${ago(DAYS / 2 - 7).slice(0, 10)}`;
  return {
    'page, first': 'skip=0',
    [DEEP]: 'skip=100000',
    'page, by cursor half-way': `cursor=${encodeURIComponent(cursor)}`,
    'page, one algorithm': ONE_ALGORITHM,
    'page, failed': 'status=failed',
    'page, one algorithm, failed': `${ONE_ALGORITHM}&status=failed`,
    'page, canceled: none': 'status=canceled',
    'page, a week long ago': week,
    'page, last 36 hours, succeeded': `status=success&start_date=${ago(1.5)}`,
  };
}
