import { setTimeout as pause } from 'node:timers/promises';
import { Matrix, solve } from 'ml-matrix';
import { residentBytes } from '../../test/support/resident-memory.ts';
import { prepareCalls } from './support/called.ts';
import { isVoid, startLoad } from './support/load.ts';
import type { Options } from './support/options.ts';
import { startProgram, startService } from './support/processes.ts';
import { atMost, loadTable, printSection } from './support/report.ts';
import type { Stage } from './support/stage.ts';

const CONNECTIONS = 50;
/** V8 returns the memory of the start after some time without work. */
const SETTLE_MS = 30_000;
const SAMPLE_MS = 1000;

/** Minutes since the start of this process, and mebibytes. */
type Sample = readonly [at: number, memory: number];

/** Memory of the service when idle and under load, and whether it still grows in the second half of the time. */
export async function measureMemory(stage: Stage, options: Options): Promise<void> {
  const { minutes } = options;
  const upstream = stage.add(await startProgram('upstream', 'load'));
  const load = stage.add(await startLoad());
  for (const [name, installation] of await stage.installations(options)) {
    process.stderr.write(`  ${name}\n`);
    // The first start makes the tables and the samples; every later one is what is measured.
    await (await startService(installation)).stop();
    const service = stage.add(await startService(installation));
    await pause(SETTLE_MS);
    const idle = mebibytesOf(service.pid);
    const callsAt = await prepareCalls(service, upstream.port);
    const samples: Sample[] = [];
    const sample = (): unknown => samples.push([performance.now() / 60_000, mebibytesOf(service.pid)]);
    const sampling = setInterval(sample, SAMPLE_MS);
    const order = { ...callsAt('/algorithms/call'), connections: CONNECTIONS, seconds: minutes * 60 };
    const report = await load.run(order).finally(() => clearInterval(sampling));
    const orVoid = (value: number): number => (isVoid(report) ? NaN : value);
    printSection(
      `Memory of ${name}, ${minutes} min of calls on ${CONNECTIONS} connections`,
      [
        atMost(140, 'MiB', 'Idle', idle),
        atMost(300, 'MiB', 'Under load', orVoid(samples.at(-1)![1])),
        atMost(1, 'MiB/min', 'Growth', orVoid(slopePerMinute(samples.slice(samples.length >> 1)))),
      ],
      loadTable(new Map([[name, [report]]])),
    );
  }
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
