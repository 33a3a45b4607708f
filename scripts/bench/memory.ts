import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '../../core/index.ts';
import { makeScratch } from '../../core/testing.ts';
import { prepareCalls } from './support/called.ts';
import { withCleanup, type Cleanup } from './support/cleanup.ts';
import { isVoid, startLoad, type Load } from './support/load.ts';
import { residentMemory, slopePerMinute, type Sample } from './support/memory-samples.ts';
import type { Options } from './support/options.ts';
import { startProgram } from './support/program.ts';
import { progress } from './support/progress.ts';
import { histogram, precise, table, targets, type Section } from './support/report.ts';
import { startService } from './support/service.ts';

const CONNECTIONS = 50;
/** V8 gives back what the start needed once nothing has happened for some time. */
const SETTLE_MS = 30_000;
const SAMPLE_MS = 1000;

interface Found {
  readonly name: string;
  readonly idle: number;
  readonly loaded: number;
  readonly slope: number;
  readonly answers: string;
  readonly isVoid: boolean;
}

/** Memory of the service when idle, under load, and whether it still grows in the second half of the time. */
export function measureMemory({ minutes, engines }: Options): Promise<Section[]> {
  return withCleanup(async (cleanup) => {
    const upstream = cleanup.add(await startProgram('upstream', 'load'));
    const load = cleanup.add(await startLoad());
    const found: Found[] = [];
    for (const engine of engines) {
      found.push(await watch(engine, { load, upstreamPort: upstream.port, minutes }, cleanup));
    }
    return [{ title: `Memory, ${minutes} min of calls on ${CONNECTIONS} connections`, lines: lines(found) }];
  });
}

interface Watch {
  readonly load: Load;
  readonly upstreamPort: number;
  readonly minutes: number;
}

async function watch(
  engine: Engine,
  { load, upstreamPort, minutes }: Watch,
  cleanup: Cleanup,
): Promise<Found> {
  progress(engine);
  const store = await makeScratch(engine);
  cleanup.later(() => store.remove());
  // The first start makes the tables and the samples; what is measured is every later one.
  await (await startService(store)).stop();
  const service = cleanup.add(await startService(store));
  await pause(SETTLE_MS);
  const idle = residentMemory(service.pid);
  const called = await prepareCalls(service, upstreamPort);
  const samples: Sample[] = [];
  const sampling = setInterval(() => {
    samples.push({ atMs: performance.now(), mebibytes: residentMemory(service.pid) });
  }, SAMPLE_MS);
  const report = await load.run({
    ...called.through('/algorithms/call'),
    connections: CONNECTIONS,
    seconds: minutes * 60,
  });
  clearInterval(sampling);
  return {
    name: engine,
    idle,
    loaded: samples.at(-1)?.mebibytes ?? NaN,
    slope: slopePerMinute(samples.slice(samples.length >> 1)),
    answers: histogram([report]),
    isVoid: isVoid(report),
  };
}

function lines(all: readonly Found[]): string[] {
  const rows = all.map(({ name, idle, loaded, slope, answers }) => [
    name,
    precise(idle),
    precise(loaded),
    precise(slope),
    answers,
  ]);
  const goals = all.flatMap(({ name, idle, loaded, slope, isVoid: bad }) => [
    { what: `Idle on ${name}`, value: idle, must: 120, better: 'less', unit: ' MiB' } as const,
    {
      what: `After load on ${name}`,
      value: bad ? NaN : loaded,
      must: 250,
      better: 'less',
      unit: ' MiB',
    } as const,
    {
      what: `Growth on ${name}`,
      value: bad ? NaN : slope,
      must: 1,
      better: 'less',
      unit: ' MiB/min',
    } as const,
  ]);
  return [
    'Resident memory of the process; growth is the slope over the second half of the time.',
    ...table(['Engine', 'Idle MiB', 'Under load MiB', 'Growth MiB/min', 'Answers'], rows),
    ...targets(goals),
  ];
}
