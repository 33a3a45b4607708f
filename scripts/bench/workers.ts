import { makeScratch } from '../../core/testing.ts';
import { prepareCalls, type Subject } from './support/called.ts';
import { withCleanup, type Cleanup } from './support/cleanup.ts';
import { startLoad } from './support/load.ts';
import type { Options } from './support/options.ts';
import { startProgram } from './support/program.ts';
import { progress } from './support/progress.ts';
import { histogram, precise, table, targets, whole, type Section } from './support/report.ts';
import { inShortTurns, median, medianRatio, rates, times, type Reports } from './support/rounds.ts';
import { startService } from './support/service.ts';

const CONNECTIONS = 50;
/** Two processes take longer to compile what they do, since each does half of it. */
const WARM_UP_SECONDS = 30;
const ONE = 'one process';
const TWO = '--workers 2';

/** Two workers beside one process on PostgreSQL; nothing is held to a core, and all compete for what there is. */
export function measureWorkers(options: Options): Promise<Section[]> {
  return withCleanup(async (cleanup) => {
    const upstream = cleanup.add(await startProgram('upstream', 'any'));
    const load = cleanup.add(await startLoad('any'));
    const subjects = new Map<string, Subject>([
      [ONE, await calls([], upstream.port, cleanup)],
      [TWO, await calls(['--workers', '2'], upstream.port, cleanup)],
    ]);
    const calling = (name: string, duration: number) =>
      load.run({ ...subjects.get(name)!, connections: CONNECTIONS, seconds: duration });
    for (const name of subjects.keys()) {
      progress(`warming up ${name}`);
      await calling(name, WARM_UP_SECONDS);
    }
    const reports = await inShortTurns([ONE, TWO], options, calling);
    return [{ title: 'Two workers on PostgreSQL', lines: lines(reports) }];
  });
}

async function calls(args: readonly string[], upstreamPort: number, cleanup: Cleanup): Promise<Subject> {
  const store = await makeScratch('postgres');
  cleanup.later(() => store.remove());
  const service = cleanup.add(await startService(store, { place: 'any', args }));
  return (await prepareCalls(service, upstreamPort)).through('/algorithms/call');
}

function lines(reports: Reports): string[] {
  const ratio = medianRatio(rates(reports, TWO), rates(reports, ONE));
  const rows = Array.from(reports, ([name, runs]) => [
    name,
    whole(median(rates(reports, name))),
    `${precise(times(reports, name, 'p50'))} / ${precise(times(reports, name, 'p99'))}`,
    histogram(runs),
  ]);
  return [
    'Servers, load, upstream and PostgreSQL share all cores here.',
    ...table(['What', 'Requests/s', 'p50 / p99 ms', 'Answers'], rows),
    ...targets([{ what: 'Two workers against one process', value: ratio, must: 0.95, better: 'more' }]),
  ];
}
