import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeScratch } from '../../core/testing.ts';
import type { Engine } from '../../core/index.ts';
import { withCleanup, type Cleanup } from './support/cleanup.ts';
import { signUp } from './support/client.ts';
import { fillCatalogue } from './support/full-catalogue.ts';
import { startLoad } from './support/load.ts';
import type { Options } from './support/options.ts';
import { startProgram } from './support/program.ts';
import { histogram, precise, table, targets, whole, type Section } from './support/report.ts';
import { requestBytes } from './support/requests.ts';
import { interleaved, median, medianRatio, rates, times, type Reports } from './support/rounds.ts';
import { startService, type Service } from './support/service.ts';
import type { Subject } from './support/called.ts';

const CONNECTIONS = 50;
const ALGORITHMS = 100;
const PATH = `/algorithms?limit=${ALGORITHMS}`;
const KOA = 'bare Koa, the same bytes';
const SQLITE = 'Vitrine on SQLite';
const POSTGRES = 'Vitrine on PostgreSQL';

/** The list of a hundred algorithms beside a bare Koa server that sends the same bytes. */
export function measureList(options: Options): Promise<Section[]> {
  return withCleanup(async (cleanup) => {
    const services = new Map<string, Service>([
      [SQLITE, await filled('sqlite', cleanup)],
      [POSTGRES, await filled('postgres', cleanup)],
    ]);
    const subjects = new Map<string, Subject>();
    for (const [name, { port, pid }] of services) {
      subjects.set(name, { port, pid, request: requestBytes('GET', `/api/v1${PATH}`, {}) });
    }
    const koa = await bareKoa(services.get(SQLITE)!, cleanup);
    subjects.set(KOA, { ...koa, request: requestBytes('GET', '/', {}) });
    const load = cleanup.add(await startLoad());
    const reports = await interleaved([...subjects.keys()], options.rounds, (name) =>
      load.run({ ...subjects.get(name)!, connections: CONNECTIONS, seconds: options.seconds }),
    );
    return [
      { title: `The list of ${ALGORITHMS} algorithms, ${CONNECTIONS} connections`, lines: lines(reports) },
    ];
  });
}

async function filled(engine: Engine, cleanup: Cleanup): Promise<Service> {
  const store = await makeScratch(engine);
  cleanup.later(() => store.remove());
  const service = cleanup.add(await startService(store, { env: { PLUGINS_DISABLED: 'samples' } }));
  await fillCatalogue(await signUp(service.apiUrl, 'bench'), ALGORITHMS);
  return service;
}

async function bareKoa({ apiUrl }: Service, cleanup: Cleanup): Promise<Omit<Subject, 'request'>> {
  const directory = mkdtempSync(join(tmpdir(), 'vitrine-list-'));
  cleanup.later(async () => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'answer.json');
  const answer = await fetch(apiUrl + PATH);
  writeFileSync(file, new Uint8Array(await answer.arrayBuffer()));
  return cleanup.add(await startProgram('koa-bytes', 'server', [file]));
}

function lines(reports: Reports): string[] {
  const ratio = (name: string): number => medianRatio(rates(reports, name), rates(reports, KOA));
  const rows = Array.from(reports, ([name, runs]) => [
    name,
    whole(median(rates(reports, name))),
    `${precise(times(reports, name, 'p50'))} / ${precise(times(reports, name, 'p99'))}`,
    precise(ratio(name)),
    whole(median(runs.map(({ cost }) => cost))),
    histogram(runs),
  ]);
  return [
    ...table(['What', 'Requests/s', 'p50 / p99 ms', 'of bare Koa', 'CPU µs each', 'Answers'], rows),
    ...targets([
      { what: 'List on SQLite against bare Koa', value: ratio(SQLITE), must: 0.6, better: 'more' },
      { what: 'List on PostgreSQL against bare Koa', value: ratio(POSTGRES), must: 0.6, better: 'more' },
    ]),
  ];
}
