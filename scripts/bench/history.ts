import { newId, type Engine } from '../../core/index.ts';
import { makeScratch, type Scratch } from '../../core/testing.ts';
import type { Subject } from './support/called.ts';
import { withCleanup, type Cleanup } from './support/cleanup.ts';
import { signIn, signUp, type Client } from './support/client.ts';
import { DAYS, fill } from './support/history-fill.ts';
import { startLoad, type Load } from './support/load.ts';
import type { Options } from './support/options.ts';
import { progress } from './support/progress.ts';
import { histogram, precise, table, targets, whole, type Section } from './support/report.ts';
import { requestBytes } from './support/requests.ts';
import { interleaved, times, type Reports } from './support/rounds.ts';
import { startService } from './support/service.ts';

const SMALL = 100_000;
const MEDIUM = 1_000_000;
const LARGE = 5_000_000;
const DAY_MS = 86_400_000;
const SECONDS = 1;
/** The smallest size has fewer entries to pass over, so that this one shows no growth. */
const DEEP = 'page, skip 100,000';

const ALGORITHMS = Array.from({ length: 19 }, () => newId());

/** A request of the table, by what it shows; the same at every size. */
type Questions = ReadonlyMap<string, Subject>;

/** History pages and statistics of a user with a fifth of all records, at growing numbers of records. */
export async function measureHistory(options: Options): Promise<Section[]> {
  const sizes = options.large ? [SMALL, MEDIUM, LARGE] : [SMALL, MEDIUM];
  const sections: Section[] = [];
  for (const engine of options.engines) sections.push(await onEngine(engine, sizes, options));
  return sections;
}

function onEngine(engine: Engine, sizes: readonly number[], { rounds }: Options): Promise<Section> {
  return withCleanup(async (cleanup) => {
    const load = cleanup.add(await startLoad());
    const bySize = new Map<number, Questions>();
    for (const size of sizes) bySize.set(size, await prepare(engine, size, cleanup));
    const reports = await ask(load, bySize, rounds);
    const questions = [...bySize.get(SMALL)!.keys()];
    return { title: `History on ${engine}`, lines: lines(reports, questions, sizes) };
  });
}

async function prepare(engine: Engine, size: number, cleanup: Cleanup): Promise<Questions> {
  progress(`${engine}: writing ${size} records`);
  const store = await makeScratch(engine);
  cleanup.later(() => store.remove());
  await fill(store, { records: size, busyUser: await makeAccounts(store), algorithms: ALGORITHMS });
  const { apiUrl, port, pid } = cleanup.add(await startService(store));
  const busy = await signIn(apiUrl, 'busy');
  const admin = await signIn(apiUrl, 'admin');
  const subject = (path: string, { token }: Client): Subject => ({
    port,
    pid,
    request: requestBytes('GET', `/api/v1${path}`, { authorization: `Bearer ${token}` }),
  });
  const questions = new Map<string, Subject>();
  for (const [name, query] of Object.entries(await pagesOf(busy, size))) {
    questions.set(name, subject(`/history/user-calls?limit=20&${query}`, busy));
  }
  const statistics = '/history/statistics';
  questions.set('statistics, own', subject(statistics, busy));
  questions.set(
    'statistics, own with one algorithm',
    subject(`${statistics}?algorithm_id=${ALGORITHMS[3]}`, busy),
  );
  questions.set('statistics, of everybody', subject(statistics, admin));
  return questions;
}

/** The service makes its tables and the accounts, and is stopped again. Answers the id of the busy user. */
async function makeAccounts(store: Scratch): Promise<string> {
  const service = await startService(store);
  await signUp(service.apiUrl, 'admin');
  const { id } = await signUp(service.apiUrl, 'busy');
  await service.stop();
  return id;
}

async function pagesOf(busy: Client, size: number): Promise<Record<string, string>> {
  const half = Math.floor(size / 10);
  const { next_cursor: cursor } = await busy.get<{ next_cursor: string }>(
    `/history/user-calls?limit=1&skip=${half}`,
  );
  const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
  const algorithm = `algorithm_id=${ALGORITHMS[3]}`;
  return {
    'page, first': 'skip=0',
    [DEEP]: 'skip=100000',
    'page, by cursor half-way': `cursor=${encodeURIComponent(cursor)}`,
    'page, one algorithm': algorithm,
    'page, failed': 'status=failed',
    'page, one algorithm, failed': `${algorithm}&status=failed`,
    'page, one algorithm, canceled: none': `${algorithm}&status=canceled`,
    'page, canceled: none': 'status=canceled',
    [`page, days of a week ${DAYS / 2} days ago`]: `start_date=${ago(DAYS / 2).slice(0, 10)}&end_date=${ago(DAYS / 2 - 7).slice(0, 10)}`,
    'page, last 36 hours': `start_date=${ago(1.5)}`,
    'page, last 36 hours, succeeded': `status=success&start_date=${ago(1.5)}`,
  };
}

async function ask(load: Load, bySize: ReadonlyMap<number, Questions>, rounds: number): Promise<Reports> {
  const all = new Map(
    [...bySize].flatMap(([size, questions]) =>
      Array.from(questions, ([name, subject]) => [keyOf(name, size), subject] as const),
    ),
  );
  return interleaved([...all.keys()], rounds, (key) =>
    load.run({ ...all.get(key)!, connections: 1, seconds: SECONDS }),
  );
}

function keyOf(question: string, size: number): string {
  return `${question} @ ${size}`;
}

function lines(reports: Reports, questions: readonly string[], sizes: readonly number[]): string[] {
  const largest = sizes.at(-1)!;
  const p95 = (name: string, size: number): number => times(reports, keyOf(name, size), 'p95');
  const growth = (name: string): number => p95(name, largest) / p95(name, SMALL);
  const rows = questions.map((name) => [
    name,
    ...sizes.map(
      (size) => `${precise(times(reports, keyOf(name, size), 'p50'))} / ${precise(p95(name, size))}`,
    ),
    precise(growth(name)),
    histogram(sizes.flatMap((size) => reports.get(keyOf(name, size))!)),
  ]);
  const at = (size: number): string => `${whole(size)}: p50 / p95 ms`;
  const worst = (of: readonly string[], figure: (name: string) => number): number =>
    Math.max(...of.map(figure));
  const comparable = questions.filter((name) => name !== DEEP);
  return [
    ...table(['Question', ...sizes.map(at), 'Growth of p95', 'Answers'], rows),
    ...targets([
      {
        what: `Slowest p95 at ${whole(largest)}`,
        value: worst(questions, (name) => p95(name, largest)),
        must: 20,
        better: 'less',
        unit: ' ms',
      },
      { what: 'Largest growth of p95', value: worst(comparable, growth), must: 1.5, better: 'less' },
    ]),
  ];
}
