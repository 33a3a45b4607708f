import { readdirSync } from 'node:fs';
import type { Engine } from '../../core/index.ts';
import { makeScratch } from '../../core/testing.ts';
import { prepareCalls, type Subject } from './support/called.ts';
import { capacityOf } from './support/capacity-of.ts';
import { withCleanup, type Cleanup } from './support/cleanup.ts';
import { isVoid, startLoad, type Load, type Measured } from './support/load.ts';
import { residentMemory, slopePerMinute, type Sample } from './support/memory-samples.ts';
import type { Options } from './support/options.ts';
import { startProgram } from './support/program.ts';
import { progress } from './support/progress.ts';
import { histogram, precise, table, targets, type Section } from './support/report.ts';
import { median } from './support/rounds.ts';
import { startService } from './support/service.ts';

const CONNECTIONS = 50;
const CAPACITY_SECONDS = 5;
/** The slowest of so many counts: a shared machine does not stay as fast as in its best minute. */
const CAPACITY_RUNS = 3;
/** Of what the core can do. */
const SHARE = 0.7;
const WINDOW_SECONDS = 58;
const SAMPLE_MS = 2000;
/** Of the time, which counts for nothing: code is compiled and caches fill. */
const WARM_UP = 0.25;

/** One service under load, and what was seen of it. */
interface Soaked {
  readonly engine: Engine;
  readonly load: Load;
  readonly subject: Subject;
  readonly pid: number;
  readonly perSecond: number;
  readonly memory: Sample[];
  readonly descriptors: number[];
  readonly windows: Measured[];
}

/** The engines at once for a long time, at seventy percent of what the core can do: what grows, and what gets slower. */
export function measureSoak({ minutes, engines }: Options): Promise<Section[]> {
  return withCleanup(async (cleanup) => {
    const upstream = cleanup.add(await startProgram('upstream', 'load'));
    const all: Soaked[] = [];
    for (const engine of engines) {
      all.push(await start(engine, { upstreamPort: upstream.port, share: SHARE / engines.length }, cleanup));
    }
    const sampling = setInterval(() => all.forEach(sample), SAMPLE_MS);
    for (let minute = 1; minute <= minutes; minute += 1) {
      progress(`minute ${minute} of ${minutes}`);
      await Promise.all(all.map(soak));
    }
    clearInterval(sampling);
    return [
      { title: `Soak, ${minutes} min at 70 % load, ${engines.join(' and ')} on one core`, lines: lines(all) },
    ];
  });
}

/** `share` is of what the service can do alone. */
async function start(
  engine: Engine,
  { upstreamPort, share }: { readonly upstreamPort: number; readonly share: number },
  cleanup: Cleanup,
): Promise<Soaked> {
  const store = await makeScratch(engine);
  cleanup.later(() => store.remove());
  const service = cleanup.add(await startService(store));
  const called = await prepareCalls(service, upstreamPort);
  const load = cleanup.add(await startLoad());
  const subject = called.through('/algorithms/call');
  const capacities: number[] = [];
  for (let run = 0; run < CAPACITY_RUNS; run += 1) {
    capacities.push(await capacityOf(load, subject, CAPACITY_SECONDS));
  }
  const perSecond = share * Math.min(...capacities);
  return { engine, load, subject, pid: service.pid, perSecond, memory: [], descriptors: [], windows: [] };
}

async function soak({ load, subject, perSecond, windows }: Soaked): Promise<void> {
  const order = { ...subject, connections: CONNECTIONS, seconds: WINDOW_SECONDS, perSecond };
  windows.push(await load.run(order));
}

function sample({ pid, memory, descriptors }: Soaked): void {
  memory.push({ atMs: performance.now(), mebibytes: residentMemory(pid) });
  descriptors.push(openDescriptors(pid));
}

/** NaN where the system does not tell. */
function openDescriptors(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return NaN;
  }
}

interface Figures {
  readonly growth: number;
  readonly descriptors: number;
  readonly drift: number;
}

function figuresOf({ memory, descriptors, windows }: Soaked): Figures {
  const open = afterWarmUp(descriptors);
  const p99 = afterWarmUp(windows).map((window) => (isVoid(window) ? NaN : window.good.p99));
  return {
    growth: slopePerMinute(afterWarmUp(memory)),
    descriptors: median(endOf(open)) - median(beginningOf(open)),
    drift: median(endOf(p99)) / median(beginningOf(p99)),
  };
}

function afterWarmUp<T>(values: readonly T[]): readonly T[] {
  return values.slice(Math.floor(values.length * WARM_UP));
}

const beginningOf = <T>(values: readonly T[]): readonly T[] => values.slice(0, Math.ceil(values.length / 3));
const endOf = <T>(values: readonly T[]): readonly T[] => values.slice(-Math.ceil(values.length / 3));

function lines(all: readonly Soaked[]): string[] {
  const found = all.map((soaked) => ({ ...soaked, figures: figuresOf(soaked) }));
  const rows = found.map(({ engine, memory, figures, windows }) => [
    engine,
    precise(memory.at(-1)?.mebibytes ?? NaN),
    precise(figures.growth),
    precise(figures.descriptors),
    precise(median(beginningOf(afterWarmUp(windows)).map(({ good }) => good.p99))),
    precise(median(endOf(afterWarmUp(windows)).map(({ good }) => good.p99))),
    histogram(windows),
  ]);
  const head = [
    'Engine',
    'Memory at the end MiB',
    'Growth MiB/min',
    'Descriptors gained',
    'p99 ms, first third',
    'p99 ms, last third',
    'Answers',
  ];
  const goals = found.flatMap(({ engine, figures }) => [
    {
      what: `Growth on ${engine}`,
      value: figures.growth,
      must: 1,
      better: 'less',
      unit: ' MiB/min',
    } as const,
    { what: `Descriptors gained on ${engine}`, value: figures.descriptors, must: 0, better: 'less' } as const,
    {
      what: `p99 at the end against the beginning, ${engine}`,
      value: figures.drift,
      must: 1.2,
      better: 'less',
    } as const,
  ]);
  return [
    'The first quarter of the time does not count; the rest is compared by thirds.',
    ...table(head, rows),
    ...targets(goals),
  ];
}
