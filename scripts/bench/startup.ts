import { setTimeout as pause } from 'node:timers/promises';
import type { Scratch } from '../../core/testing.ts';
import type { Build, Options } from './support/options.ts';
import { startService } from './support/processes.ts';
import { atMost, printSection } from './support/report.ts';
import { interleaved, median } from './support/rounds.ts';
import { eachService, onStage } from './support/stage.ts';

/** From the start of the process to the first answer out of the database, on a database that exists. */
export function measureStartUp(options: Options): Promise<void> {
  return onStage(async (stage) => {
    const subjects = await eachService(options, async (build, engine) => ({
      build,
      store: await stage.store(engine),
    }));
    // The first round, which does not count, makes the tables and the samples.
    const results = await interleaved(subjects, options.rounds, firstAnswer);
    printSection(
      'Start to first answer, existing database',
      `Each service was started ${options.rounds + 1} times.`,
      Array.from(results, ([name, runs]) => atMost(1.5, 's', `Start of ${name}`, median(runs) / 1000)),
    );
  });
}

async function firstAnswer({ build, store }: { build: Build; store: Scratch }): Promise<number> {
  const began = performance.now();
  const service = await startService(store, { root: build.root, core: 'any' });
  const answer = await fetch(`${service.url}/api/v1/algorithms`);
  await answer.arrayBuffer();
  const took = performance.now() - began;
  await service.stop();
  if (answer.status !== 200) throw new Error(`The first answer has the status ${answer.status}.`);
  await pause(100);
  return took;
}
