import { setTimeout as pause } from 'node:timers/promises';
import type { Options } from './support/options.ts';
import { startService, type Installation } from './support/processes.ts';
import { atMost, printSection } from './support/report.ts';
import { interleaved, median } from './support/rounds.ts';
import type { Stage } from './support/stage.ts';

/** From the start of the process to the first answer out of the database, on a database that exists. */
export async function measureStartUp(stage: Stage, options: Options): Promise<void> {
  // The first round, which does not count, makes the tables and the samples.
  const results = await interleaved(await stage.installations(options), options.rounds, secondsToAnswer);
  printSection(
    'Start to first answer, existing database',
    Array.from(results, ([name, runs]) => atMost(1.5, 's', `Start of ${name}`, median(runs))),
  );
}

async function secondsToAnswer(installation: Installation): Promise<number> {
  const began = performance.now();
  const service = await startService(installation, { core: 'any' });
  const answer = await fetch(`${service.url}/api/v1/algorithms`);
  await answer.arrayBuffer();
  const took = performance.now() - began;
  await service.stop();
  if (answer.status !== 200) throw new Error(`The first answer has the status ${answer.status}.`);
  await pause(100);
  return took / 1000;
}
