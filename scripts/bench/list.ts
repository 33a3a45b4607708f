import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillCatalogue } from '../../test/support/large-installation/fill-catalogue.ts';
import { signIn } from '../../test/support/service-client.ts';
import { gets, startLoad, type Subject } from './support/load.ts';
import type { Options } from './support/options.ts';
import { startProgram, WITHOUT_SAMPLES } from './support/processes.ts';
import { atLeast, loadTable, printSection } from './support/report.ts';
import { loadInRounds, rateRatio } from './support/rounds.ts';
import type { Stage } from './support/stage.ts';

const CONNECTIONS = 50;
const COUNT = 100;
const LIST = `/api/v1/algorithms?limit=${COUNT}`;
const PEER = 'bare Koa, the same bytes';

/** The list of a hundred algorithms beside bare Koa. */
export async function measureList(stage: Stage, options: Options): Promise<void> {
  const services = await stage.services(options, WITHOUT_SAMPLES);
  const subjects = new Map<string, Subject>();
  for (const [name, service] of services) {
    await fillCatalogue(await signIn(service.url, 'bench'), COUNT);
    subjects.set(name, gets(service, LIST));
  }
  const [first] = services.values();
  const answer = await fetch(first!.url + LIST);
  const { scratch } = await stage.installation('sqlite');
  const file = join(scratch.dataDir, 'answer.json');
  writeFileSync(file, await answer.text());
  subjects.set(PEER, gets(stage.add(await startProgram('koa-bytes', 'server', [file])), '/'));
  const load = stage.add(await startLoad());
  const reports = await loadInRounds(load, subjects, CONNECTIONS, options);
  printSection(
    `The list of ${COUNT} algorithms, ${CONNECTIONS} connections`,
    [...services.keys()].map((name) =>
      atLeast(0.5, `${name} against ${PEER}`, rateRatio(reports, name, PEER)),
    ),
    loadTable(reports),
  );
}
