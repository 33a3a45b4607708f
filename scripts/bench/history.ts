import { newId, type Engine } from '../../core/index.ts';
import { signIn, type Client } from './support/client.ts';
import { DAYS, fill } from './support/history-fill.ts';
import { requestBytes, startLoad, type Load, type Measured, type Subject } from './support/load.ts';
import type { Options } from './support/options.ts';
import { startService } from './support/processes.ts';
import { histogram, precise, table, targets, whole, type Section } from './support/report.ts';
import { interleaved, times, type Rounds } from './support/rounds.ts';
import { onStage, type Stage } from './support/stage.ts';

const SMALL = 100_000;
const DAY_MS = 86_400_000;
const SECONDS = 1;
/** The small history is not that long, so this question shows no growth. */
const DEEP = 'page, skip 100,000';
const ALGORITHMS = Array.from({ length: 19 }, () => ({ id: newId(), versionId: newId() }));

/** What is asked, by name; the same at every size. */
type Questions = ReadonlyMap<string, Subject>;

/** History pages and statistics of a user with a fifth of all records, in a small and in a large table. */
export async function measureHistory(options: Options): Promise<readonly Section[]> {
  const sections: Section[] = [];
  for (const engine of options.engines) {
    sections.push(await onStage((stage) => onEngine(stage, engine, options)));
  }
  return sections;
}

async function onEngine(
  stage: Stage,
  engine: Engine,
  { rounds, records, builds }: Options,
): Promise<Section> {
  const load = stage.add(await startLoad());
  const bySize = new Map<number, Questions>();
  for (const size of [SMALL, records]) {
    process.stderr.write(`  ${engine}: writing ${whole(size)} records\n`);
    bySize.set(size, await prepare(stage, engine, size, builds[0]!.root));
  }
  const reports = await ask(load, bySize, rounds);
  return { title: `History on ${engine}`, lines: lines(reports, [...bySize.get(SMALL)!.keys()], records) };
}

async function prepare(stage: Stage, engine: Engine, size: number, root: string): Promise<Questions> {
  const store = await stage.store(engine);
  const first = await startService(store, { root });
  await signIn(first.url, 'admin');
  const { id: busyUser } = await signIn(first.url, 'busy');
  await first.stop();
  await fill(store, { records: size, busyUser, algorithms: ALGORITHMS });
  const { url, port, pid } = stage.add(await startService(store, { root }));
  const busy = await signIn(url, 'busy');
  const admin = await signIn(url, 'admin');
  const subject = (path: string, { token }: Client): Subject => ({
    port,
    pid,
    requests: [requestBytes('GET', `/api/v1${path}`, token)],
  });
  const questions = new Map<string, Subject>();
  for (const [name, query] of Object.entries(await pagesOf(busy, size))) {
    questions.set(name, subject(`/history/user-calls?limit=20&${query}`, busy));
  }
  const statistics = '/history/statistics';
  questions.set('statistics, own', subject(statistics, busy));
  questions.set(
    'statistics, own with one algorithm',
    subject(`${statistics}?algorithm_id=${ALGORITHMS[3]!.id}`, busy),
  );
  questions.set('statistics, of everybody', subject(statistics, admin));
  return questions;
}

async function pagesOf(busy: Client, size: number): Promise<Record<string, string>> {
  const { next_cursor: cursor } = await busy.get<{ next_cursor: string }>(
    `/history/user-calls?limit=1&skip=${Math.floor(size / 10)}`,
  );
  const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
  const algorithm = `algorithm_id=${ALGORITHMS[3]!.id}`;
  const week = `start_date=${ago(DAYS / 2).slice(0, 10)}&end_date=${ago(DAYS / 2 - 7).slice(0, 10)}`;
  return {
    'page, first': 'skip=0',
    [DEEP]: 'skip=100000',
    'page, by cursor half-way': `cursor=${encodeURIComponent(cursor)}`,
    'page, one algorithm': algorithm,
    'page, failed': 'status=failed',
    'page, one algorithm, failed': `${algorithm}&status=failed`,
    'page, canceled: none': 'status=canceled',
    'page, a week long ago': week,
    'page, last 36 hours, succeeded': `status=success&start_date=${ago(1.5)}`,
  };
}

function ask(load: Load, bySize: ReadonlyMap<number, Questions>, rounds: number): Promise<Rounds<Measured>> {
  const all = new Map(
    [...bySize].flatMap(([size, questions]) =>
      Array.from(questions, ([name, subject]) => [`${name} @ ${size}`, subject] as [string, Subject]),
    ),
  );
  return interleaved([...all.keys()], rounds, (key) =>
    load.run({ ...all.get(key)!, connections: 1, seconds: SECONDS }),
  );
}

function lines(reports: Rounds<Measured>, questions: readonly string[], large: number): string[] {
  const p95 = (name: string, size: number): number => times(reports, `${name} @ ${size}`, 'p95');
  const growth = (name: string): number => p95(name, large) / p95(name, SMALL);
  const rows = questions.map((name) => [
    name,
    ...[SMALL, large].map(
      (size) => `${precise(times(reports, `${name} @ ${size}`, 'p50'))} / ${precise(p95(name, size))}`,
    ),
    precise(growth(name)),
    histogram([SMALL, large].flatMap((size) => reports.get(`${name} @ ${size}`)!)),
  ]);
  const slowest = Math.max(...questions.map((name) => p95(name, large)));
  const grown = Math.max(...questions.filter((name) => name !== DEEP).map(growth));
  return [
    ...table(
      [
        'Question',
        ...[SMALL, large].map((size) => `${whole(size)}: p50 / p95 ms`),
        'Growth of p95',
        'Answers',
      ],
      rows,
    ),
    ...targets([
      { what: `Slowest p95 at ${whole(large)}`, value: slowest, must: 20, better: 'less', unit: ' ms' },
      { what: 'Largest growth of p95', value: grown, must: 1.5, better: 'less' },
    ]),
  ];
}
