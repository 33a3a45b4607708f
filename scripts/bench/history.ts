import { newId, type Engine } from '../../core/index.ts';
import { signIn, type Client } from './support/client.ts';
import { DAYS, fill } from './support/history-fill.ts';
import { gets, startLoad, type LoadReport, type Subject } from './support/load.ts';
import type { Options } from './support/options.ts';
import { startService } from './support/processes.ts';
import { histogram, precise, table, targets, whole, type Section } from './support/report.ts';
import { loadInRounds, times, type Rounds } from './support/rounds.ts';
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
  const subjects = new Map(
    [...bySize].flatMap(([size, questions]) =>
      Array.from(questions, ([name, subject]) => [`${name} @ ${size}`, subject] as const),
    ),
  );
  const reports = await loadInRounds(load, subjects, 1, { rounds, seconds: 1 });
  return { title: `History on ${engine}`, lines: lines(reports, [...bySize.get(SMALL)!.keys()], records) };
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

function lines(reports: Rounds<LoadReport>, questions: readonly string[], large: number): string[] {
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
