import { makeScratch } from '../../core/testing.ts';
import { capacityOf } from './support/capacity-of.ts';
import { prepareCalls } from './support/called.ts';
import { withCleanup } from './support/cleanup.ts';
import { isVoid, startLoad, type Measured } from './support/load.ts';
import type { Options } from './support/options.ts';
import { holdSnapshot } from './support/postgres.ts';
import { startProgram } from './support/program.ts';
import { progress } from './support/progress.ts';
import { histogram, precise, table, targets, whole, type Section } from './support/report.ts';
import { median } from './support/rounds.ts';
import { startService } from './support/service.ts';

const CONNECTIONS = 50;
const CAPACITY_SECONDS = 10;
/** Of the capacity: what is left must not be the limit. */
const SHARE = 0.25;
const SETTLE_SECONDS = 0.5;

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
    const windows = async (what: string, count: number): Promise<readonly Measured[]> => {
      const measured: Measured[] = [];
      for (let window = 0; window <= count; window += 1) {
        progress(`${what}: window ${window} of ${count}`);
        const order = { connections: CONNECTIONS, seconds, settleSeconds: SETTLE_SECONDS, perSecond };
        measured.push(await load.run({ ...subject, ...order }));
      }
      return measured.slice(1);
    };
    const before = await windows('before', rounds);
    const snapshot = await holdSnapshot();
    const held = await windows('held', Math.max(rounds, Math.ceil((minutes * 60) / seconds))).finally(() =>
      snapshot.release(),
    );
    const after = await windows('after', rounds);
    const parts = { before, 'at its end': held.slice(-rounds), after };
    return [
      {
        title: `A snapshot that is held for ${precise((held.length * seconds) / 60)} min, PostgreSQL`,
        lines: lines(parts, { held, perSecond }),
      },
    ];
  });
}

type Parts = Readonly<Record<'before' | 'at its end' | 'after', readonly Measured[]>>;

interface Whole {
  readonly held: readonly Measured[];
  readonly perSecond: number;
}

function lines(parts: Parts, { held, perSecond }: Whole): string[] {
  const rows = Object.entries({ ...parts, 'all of it': held }).map(([what, windows]) => [
    what,
    precise(time(windows, 'p50')),
    precise(time(windows, 'p99')),
    histogram(windows),
  ]);
  const times = (part: keyof Parts): number => time(parts[part], 'p50') / time(parts.before, 'p50');
  return [
    `${whole(perSecond)} requests a second fall due evenly, a quarter of what the service can do; medians of windows.`,
    ...table(['When', 'p50 ms', 'p99 ms', 'Answers'], rows),
    ...targets([
      { what: 'p50 at its end, against before', value: times('at its end'), must: 2, better: 'less' },
      { what: 'p50 after it, against before', value: times('after'), must: 2, better: 'less' },
    ]),
  ];
}

function time(windows: readonly Measured[], which: 'p50' | 'p99'): number {
  return median(windows.map((window) => (isVoid(window) ? NaN : window.good[which])));
}
