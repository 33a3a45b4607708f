import { makeScratch } from '../../core/testing.ts';
import { capacityOf } from './support/capacity-of.ts';
import { prepareCalls } from './support/called.ts';
import { withCleanup } from './support/cleanup.ts';
import { startLoad } from './support/load.ts';
import type { Options } from './support/options.ts';
import { holdSnapshot } from './support/postgres.ts';
import { startProgram } from './support/program.ts';
import { progress } from './support/progress.ts';
import { histogram, precise, table, targets, whole, type Section } from './support/report.ts';
import { interleaved, times, type Reports } from './support/rounds.ts';
import { startService } from './support/service.ts';

const CONNECTIONS = 50;
const CAPACITY_SECONDS = 10;
/** Of the capacity: what is left must not be the limit. */
const SHARE = 0.25;
const SETTLE_SECONDS = 0.5;
const BEFORE = 'before';
const HELD = 'while it is held';
const AT_ITS_END = 'at its end';
const AFTER = 'after';

/** Windows of calls on PostgreSQL before, while and after somebody else keeps a transaction open, as a dump does. */
export function measureHeldSnapshot({ rounds, seconds, minutes }: Options): Promise<Section[]> {
  return withCleanup(async (cleanup) => {
    const upstream = cleanup.add(await startProgram('upstream', 'load'));
    const load = cleanup.add(await startLoad());
    const store = await makeScratch('postgres');
    cleanup.later(() => store.remove());
    const service = cleanup.add(await startService(store));
    const subject = (await prepareCalls(service, upstream.port)).through('/algorithms/call');
    const perSecond = SHARE * (await capacityOf(load, subject, CAPACITY_SECONDS));
    const order = { connections: CONNECTIONS, seconds, settleSeconds: SETTLE_SECONDS, perSecond };
    const windows = async (name: string, count: number): Promise<Reports> => {
      progress(name);
      return interleaved([name], count, () => load.run({ ...subject, ...order }));
    };
    const before = await windows(BEFORE, rounds);
    const snapshot = await holdSnapshot();
    const count = Math.max(rounds, Math.ceil((minutes * 60) / seconds));
    const held = await windows(HELD, count).finally(() => snapshot.release());
    const after = await windows(AFTER, rounds);
    const reports = new Map([...before, ...held, [AT_ITS_END, held.get(HELD)!.slice(-rounds)], ...after]);
    return [
      {
        title: `A snapshot that is held for ${precise((count * seconds) / 60)} min, PostgreSQL`,
        lines: lines(reports, perSecond),
      },
    ];
  });
}

function lines(reports: Reports, perSecond: number): string[] {
  const rows = Array.from(reports, ([name, runs]) => [
    name,
    precise(times(reports, name, 'p50')),
    precise(times(reports, name, 'p99')),
    histogram(runs),
  ]);
  const against = (name: string): number => times(reports, name, 'p50') / times(reports, BEFORE, 'p50');
  return [
    `${whole(perSecond)} requests a second fall due evenly, a quarter of what the service can do; medians of windows.`,
    ...table(['When', 'p50 ms', 'p99 ms', 'Answers'], rows),
    ...targets([
      { what: 'p50 at its end, against before', value: against(AT_ITS_END), must: 2, better: 'less' },
      { what: 'p50 after it, against before', value: against(AFTER), must: 2, better: 'less' },
    ]),
  ];
}
