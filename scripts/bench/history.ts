import { newId } from '../../core/index.ts';
import { DAYS, fillHistory } from '../../test/support/large-installation/fill-history.ts';
import { signIn, type AccountClient } from '../../test/support/service-client.ts';
import { gets, startLoad, type Subject } from './support/load.ts';
import type { Options } from './support/options.ts';
import { startService, type Installation } from './support/processes.ts';
import { atMost, loadTable, printSection } from './support/report.ts';
import { loadInRounds, times } from './support/rounds.ts';
import type { Stage } from './support/stage.ts';

const SMALL = 100_000;
const DAY_MS = 86_400_000;
/** The small history is not that long, so this question shows no growth. */
const DEEP = 'page, skip 100,000';
const ALGORITHMS = Array.from({ length: 19 }, () => ({ id: newId(), versionId: newId() }));
const ONE_ALGORITHM = `algorithm_id=${ALGORITHMS[3]!.id}`;

/** History pages and statistics of a user with a fifth of all records, in a small and in a large table. */
export async function measureHistory(stage: Stage, { engines, records, rounds }: Options): Promise<void> {
  for (const engine of engines) {
    const load = stage.add(await startLoad());
    const subjects = new Map<string, Subject>();
    let names: readonly string[] = [];
    for (const size of [SMALL, records]) {
      process.stderr.write(`  ${engine}: writing ${size} records\n`);
      const questions = await prepare(stage, await stage.installation(engine), size);
      for (const [name, subject] of Object.entries(questions)) subjects.set(`${name}, of ${size}`, subject);
      names = Object.keys(questions);
    }
    const reports = await loadInRounds(load, subjects, 1, { rounds, seconds: 1 });
    const p95 = (name: string, size: number): number => times(reports, `${name}, of ${size}`, 'p95');
    const growing = names.filter((name) => name !== DEEP);
    printSection(
      `History on ${engine}, one connection`,
      [
        ...names.map((name) => atMost(20, 'ms', `p95: ${name}, of ${records}`, p95(name, records))),
        ...growing.map((name) =>
          atMost(1.5, 'times', `Growth of p95: ${name}`, p95(name, records) / p95(name, SMALL)),
        ),
      ],
      loadTable(reports),
    );
    await stage.end();
  }
}

/** Fills an installation, and answers what is asked of its service, by name; the same at every size. */
async function prepare(
  stage: Stage,
  installation: Installation,
  size: number,
): Promise<Record<string, Subject>> {
  const kernel = await stage.kernel(installation);
  await signIn(kernel.rootUrl, 'admin');
  const { id: busyUser } = await signIn(kernel.rootUrl, 'busy');
  await fillHistory(kernel, { records: size, busyUser, algorithms: ALGORITHMS });
  await kernel.stop();
  const service = stage.add(await startService(installation));
  const busy = await signIn(service.url, 'busy');
  const admin = await signIn(service.url, 'admin');
  const asks = (path: string, { token }: AccountClient): Subject =>
    gets(service, `/api/v1/history/${path}`, token);
  const page = (query: string): Subject => asks(`user-calls?limit=20&${query}`, busy);
  const { next_cursor: cursor } = await busy.get<{ next_cursor: string }>(
    `/history/user-calls?limit=1&skip=${Math.floor(size / 10)}`,
  );
  const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
  const week = `start_date=${ago(DAYS / 2).slice(0, 10)}&end_date=${ago(DAYS / 2 - 7).slice(0, 10)}`;
  return {
    'page, first': page('skip=0'),
    [DEEP]: page('skip=100000'),
    'page, by cursor half-way': page(`cursor=${encodeURIComponent(cursor)}`),
    'page, one algorithm': page(ONE_ALGORITHM),
    'page, failed': page('status=failed'),
    'page, one algorithm, failed': page(`${ONE_ALGORITHM}&status=failed`),
    'page, canceled: none': page('status=canceled'),
    'page, a week long ago': page(week),
    'page, last 36 hours, succeeded': page(`status=success&start_date=${ago(1.5)}`),
    'statistics, own': asks('statistics', busy),
    'statistics, own with one algorithm': asks(`statistics?${ONE_ALGORITHM}`, busy),
    'statistics, of everybody': asks('statistics', admin),
  };
}
