import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '../../core/index.ts';
import type { Scratch } from '../../core/testing.ts';
import type { Options } from './support/options.ts';
import { precise, table, targets, type Section } from './support/report.ts';
import { interleaved, median } from './support/rounds.ts';
import { startService, withStore } from './support/service.ts';

/** From the start of the process to the first answer, on a database that exists. */
export async function measureStartUp({ rounds }: Options): Promise<Section[]> {
  const results = await withStore('sqlite', (sqlite) =>
    withStore('postgres', async (postgres) => {
      const stores: Readonly<Record<Engine, Scratch>> = { sqlite, postgres };
      // The first round, which does not count, makes the tables and the samples.
      return interleaved(['sqlite', 'postgres'], rounds, (engine) => firstAnswer(stores[engine as Engine]));
    }),
  );
  const seconds = (engine: Engine): number => median(results.get(engine)!) / 1000;
  const rows = Array.from(results, ([engine, runs]) => [
    engine,
    precise(median(runs)),
    precise(Math.max(...runs)),
    runs.length,
  ]);
  return [
    {
      title: 'Start to first answer, existing database',
      lines: [
        ...table(['Engine', 'Median ms', 'Longest ms', 'Starts'], rows),
        ...targets([
          { what: 'Start on SQLite', value: seconds('sqlite'), must: 1.5, better: 'less', unit: ' s' },
          { what: 'Start on PostgreSQL', value: seconds('postgres'), must: 1.5, better: 'less', unit: ' s' },
        ]),
      ],
    },
  ];
}

/** Milliseconds from the start of the process to an answer that came out of the database. */
async function firstAnswer(store: Scratch): Promise<number> {
  const began = performance.now();
  const service = await startService(store, { place: 'any' });
  const answer = await fetch(`${service.apiUrl}/algorithms`);
  await answer.arrayBuffer();
  const took = performance.now() - began;
  await service.stop();
  if (answer.status !== 200) throw new Error(`The first answer has the status ${answer.status}.`);
  await pause(100);
  return took;
}
