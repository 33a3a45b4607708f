import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fill, WITHOUT_SAMPLES } from './support/catalogue-fill.ts';
import { signIn } from './support/client.ts';
import { gets, startLoad } from './support/load.ts';
import type { Options } from './support/options.ts';
import { startProgram } from './support/processes.ts';
import { atLeast, loadTable, printSection } from './support/report.ts';
import { loadInRounds, rateRatio } from './support/rounds.ts';
import { eachService, onStage, type Stage } from './support/stage.ts';

const CONNECTIONS = 50;
const COUNT = 100;
const LIST = `/api/v1/algorithms?limit=${COUNT}`;
const PEER = 'bare Koa, the same bytes';

/** The list of a hundred algorithms beside bare Koa. */
export function measureList(options: Options): Promise<void> {
  return onStage((stage) => beside(stage, options));
}

async function beside(stage: Stage, options: Options): Promise<void> {
  let answer: ArrayBuffer | undefined;
  const subjects = await eachService(options, async (build, engine) => {
    const service = await stage.service(build, engine, WITHOUT_SAMPLES);
    await fill(await signIn(service.url, 'bench'), COUNT);
    answer ??= await (await fetch(service.url + LIST)).arrayBuffer();
    return gets(service, LIST);
  });
  const file = join((await stage.store('sqlite')).dataDir, 'answer.json');
  writeFileSync(file, new Uint8Array(answer!));
  subjects.set(PEER, gets(stage.add(await startProgram('koa-bytes', 'server', [file])), '/'));
  const load = stage.add(await startLoad());
  const reports = await loadInRounds(load, subjects, CONNECTIONS, options);
  const services = [...subjects.keys()].filter((name) => name !== PEER);
  printSection(
    `The list of ${COUNT} algorithms, ${CONNECTIONS} connections`,
    loadTable(reports),
    services.map((name) => atLeast(0.5, `${name} against ${PEER}`, rateRatio(reports, name, PEER))),
  );
}
