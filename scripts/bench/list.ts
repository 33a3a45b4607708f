import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestBytes, signIn, type Client } from './support/client.ts';
import { startLoad, type Subject } from './support/load.ts';
import type { Options } from './support/options.ts';
import { startProgram, type Service } from './support/processes.ts';
import { loadTable, targets, type Section, type Target } from './support/report.ts';
import { interleaved, medianRatio, rates, times } from './support/rounds.ts';
import { eachService, onStage, type Stage } from './support/stage.ts';

const CONNECTIONS = 50;
const FEW = 100;
const MANY = 10_000;
const LIST = `/api/v1/algorithms?limit=${FEW}`;
const PEER = 'bare Koa, the same bytes';
const WITHOUT_SAMPLES = { env: { PLUGINS_DISABLED: 'samples' } };

/** The list of a hundred algorithms beside bare Koa, and searches in ten thousand. */
export async function measureList(options: Options): Promise<readonly Section[]> {
  return [
    await onStage((stage) => fewAlgorithms(stage, options)),
    await onStage((stage) => manyAlgorithms(stage, options)),
  ];
}

async function fewAlgorithms(stage: Stage, options: Options): Promise<Section> {
  let answer: ArrayBuffer | undefined;
  const subjects = await eachService(options, async (build, engine) => {
    const service = await stage.service(build, engine, WITHOUT_SAMPLES);
    await fill(await signIn(service.apiUrl, 'bench'), FEW);
    answer ??= await (await fetch(`http://127.0.0.1:${service.port}${LIST}`)).arrayBuffer();
    return subject(service, LIST);
  });
  const file = join((await stage.store('sqlite')).dataDir, 'answer.json');
  writeFileSync(file, new Uint8Array(answer!));
  subjects.set(PEER, subject(stage.add(await startProgram('koa-bytes', 'server', [file])), '/'));
  const load = stage.add(await startLoad());
  const { rounds, seconds } = options;
  const reports = await interleaved([...subjects.keys()], rounds, (name) =>
    load.run({ ...subjects.get(name)!, connections: CONNECTIONS, seconds }),
  );
  const figures = [...reports.keys()]
    .filter((name) => name !== PEER)
    .map((name): Target => {
      const value = medianRatio(rates(reports, name), rates(reports, PEER));
      return { what: `${name} against ${PEER}`, value, must: 0.5, better: 'more' };
    });
  return {
    title: `The list of ${FEW} algorithms, ${CONNECTIONS} connections`,
    lines: [...loadTable(reports), ...targets(figures)],
  };
}

async function manyAlgorithms(stage: Stage, { builds, engines, rounds }: Options): Promise<Section> {
  const queries = { search: 'q=number+77', 'one type': 'type=text', 'a late page': 'skip=9000&limit=100' };
  const subjects = new Map<string, Subject>();
  for (const engine of engines) {
    const service = await stage.service(builds[0]!, engine, WITHOUT_SAMPLES);
    await fill(await signIn(service.apiUrl, 'bench'), MANY);
    for (const [name, query] of Object.entries(queries)) {
      subjects.set(`${name} on ${engine}`, subject(service, `/api/v1/algorithms?${query}`));
    }
  }
  const load = stage.add(await startLoad());
  const reports = await interleaved([...subjects.keys()], rounds, (name) =>
    load.run({ ...subjects.get(name)!, connections: 1, seconds: 1 }),
  );
  const figures = [...reports.keys()].map((name): Target => {
    return {
      what: `p95: ${name}`,
      value: times(reports, name, 'p95'),
      must: 50,
      better: 'less',
      unit: ' ms',
    };
  });
  return {
    title: `A catalogue of ${MANY} algorithms, one connection`,
    lines: [...loadTable(reports), ...targets(figures)],
  };
}

function subject({ port, pid }: Pick<Service, 'port' | 'pid'>, path: string): Subject {
  return { port, pid, requests: [requestBytes('GET', path)] };
}

/** A page of a hundred of these has some 34 KB. */
async function fill(admin: Client, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    await admin.post('/algorithms', {
      name: `Algorithm ${number}`,
      description: `Looks at pictures and names what is on them, in its own way, which is number ${number}.`,
      type: number % 5 === 0 ? 'text' : 'computer_vision',
    });
  }
}
