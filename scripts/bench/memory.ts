import { setTimeout as pause } from 'node:timers/promises';
import { Matrix, solve } from 'ml-matrix';
import type { Engine } from '../../core/index.ts';
import { residentBytes } from '../../test/support/resident-memory.ts';
import { prepareCalls } from './support/called.ts';
import { isVoid, startLoad, type Load } from './support/load.ts';
import type { Build, Options } from './support/options.ts';
import { startProgram, startService } from './support/processes.ts';
import { atMost, histogram, printSection, table } from './support/report.ts';
import { eachService, onStage, type Stage } from './support/stage.ts';

const CONNECTIONS = 50;
/** V8 returns the memory of the start after some time without work. */
const SETTLE_MS = 30_000;
const SAMPLE_MS = 1000;

/** Minutes since the start of this process, and mebibytes. */
type Sample = readonly [at: number, memory: number];

/** Memory of the service when idle and under load, and whether it still grows in the second half of the time. */
export function measureMemory(options: Options): Promise<void> {
  return onStage(async (stage) => {
    const upstream = stage.add(await startProgram('upstream', 'load'));
    const load = stage.add(await startLoad());
    const { minutes } = options;
    const found = await eachService(options, (build, engine) => {
      process.stderr.write(`  ${build.name} on ${engine}\n`);
      return watch(stage, { build, engine, load, upstreamPort: upstream.port, minutes });
    });
    printSection(
      `Memory, ${minutes} min of calls on ${CONNECTIONS} connections`,
      table(
        ['What', 'Answers'],
        Array.from(found, ([name, { answers }]) => [name, answers]),
      ),
      Array.from(found, ([name, { idle, loaded, growth }]) => [
        atMost(140, 'MiB', `Idle, ${name}`, idle),
        atMost(300, 'MiB', `Under load, ${name}`, loaded),
        atMost(1, 'MiB/min', `Growth, ${name}`, growth),
      ]).flat(),
    );
  });
}

interface Watch {
  readonly build: Build;
  readonly engine: Engine;
  readonly load: Load;
  readonly upstreamPort: number;
  readonly minutes: number;
}

async function watch(stage: Stage, { build, engine, load, upstreamPort, minutes }: Watch) {
  const { root } = build;
  const store = await stage.store(engine);
  // The first start makes the tables and the samples; every later one is what is measured.
  await (await startService(store, { root })).stop();
  const service = stage.add(await startService(store, { root }));
  await pause(SETTLE_MS);
  const idle = mebibytesOf(service.pid);
  const called = await prepareCalls(service, upstreamPort);
  const samples: Sample[] = [];
  const sampling = setInterval(
    () => samples.push([performance.now() / 60_000, mebibytesOf(service.pid)]),
    SAMPLE_MS,
  );
  const subject = called.at('/algorithms/call');
  const report = await load.run({ ...subject, connections: CONNECTIONS, seconds: minutes * 60 });
  clearInterval(sampling);
  const bad = isVoid(report);
  return {
    idle,
    loaded: bad ? NaN : samples.at(-1)![1],
    growth: bad ? NaN : slopePerMinute(samples.slice(samples.length >> 1)),
    answers: histogram([report]),
  };
}

function mebibytesOf(pid: number): number {
  return residentBytes(pid) / 2 ** 20;
}

/** Mebibytes per minute: the slope of the line that fits the samples best. */
function slopePerMinute(samples: readonly Sample[]): number {
  const times = new Matrix(samples.map(([at]) => [at, 1]));
  const sizes = Matrix.columnVector(samples.map(([, memory]) => memory));
  return solve(times, sizes).get(0, 0);
}
