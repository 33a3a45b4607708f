import { makeTokens } from './support/accounts.ts';
import { plainCall, prepareCalls } from './support/called.ts';
import { startLoad, type Load, type LoadReport, type Subject } from './support/load.ts';
import type { Options } from './support/options.ts';
import { startProgram, startService } from './support/processes.ts';
import { atLeast, atMost, format, loadTable, printSection, table } from './support/report.ts';
import { loadInRounds, rateRatio, rates, times, type Rounds } from './support/rounds.ts';
import { eachService, onStage, type Stage } from './support/stage.ts';

const CONNECTIONS = 50;
const CALLERS = 2000;
/** Two processes take longer than one until their code is compiled. */
const WARM_UP_SECONDS = 10;
const ENDPOINT = 'the endpoint itself';
const PEER = '@fastify/http-proxy';
const UNGUARDED = ' without guards';

type Subjects = ReadonlyMap<string, Subject>;

/** The call beside a proxy that only forwards: fifty callers, one, many accounts, two workers. */
export function measureCalls(options: Options): Promise<void> {
  return onStage(async (stage) => {
    const upstream = stage.add(await startProgram('upstream', 'load'));
    const load = stage.add(await startLoad());
    const peer = stage.add(await startProgram('fastify-proxy', 'server', [String(upstream.port)]));
    const subjects = new Map<string, Subject>([[PEER, plainCall(peer)]]);
    for (const [suffix, guards] of [
      ['', 'all'],
      [UNGUARDED, 'gateway'],
    ] as const) {
      const services = await eachService(options, async (build, engine) =>
        prepareCalls(await stage.service(build, engine, { env: { GATEWAY_GUARDS: guards } }), upstream.port),
      );
      for (const [name, called] of services) subjects.set(name + suffix, called.at('/algorithms/call'));
    }
    await busy(load, subjects, options);
    await lone(load, new Map([...subjects, [ENDPOINT, plainCall(upstream)]]), options);
    if (!options.engines.includes('postgres')) return;
    await manyCallers(stage, load, upstream.port, options);
    await twoWorkers(stage, options);
  });
}

/** The services among the subjects that guard their calls, as is the default. */
function servicesIn(reports: Rounds<LoadReport>): string[] {
  return [...reports.keys()].filter((name) => name.startsWith('Vitrine') && !name.endsWith(UNGUARDED));
}

async function busy(load: Load, subjects: Subjects, options: Options): Promise<void> {
  const reports = await loadInRounds(load, subjects, CONNECTIONS, options);
  printSection(
    `The call, ${CONNECTIONS} connections`,
    loadTable(reports),
    servicesIn(reports).flatMap((name) => [
      atLeast(0.7, `${name} against ${PEER}`, rateRatio(reports, name, PEER)),
      atLeast(
        0.85,
        `${name}: with the guards of the gateway against without`,
        rateRatio(reports, name, name + UNGUARDED),
      ),
    ]),
  );
}

async function lone(load: Load, subjects: Subjects, options: Options): Promise<void> {
  const reports = await loadInRounds(load, subjects, 1, options);
  const added = (name: string): number => times(reports, name, 'p50') - times(reports, ENDPOINT, 'p50');
  printSection(
    'The call of a lone caller',
    loadTable(reports),
    servicesIn(reports).map((name) => atMost(1.2, 'ms', `Added by ${name}`, added(name))),
  );
}

/** The limits of the gateway are per account: each of many has to be counted by itself. */
async function manyCallers(stage: Stage, load: Load, upstreamPort: number, options: Options): Promise<void> {
  const store = await stage.store('postgres');
  const service = stage.add(await startService(store, { root: options.builds[0]!.root }));
  const called = await prepareCalls(service, upstreamPort);
  const callers = await makeTokens(store, CALLERS);
  const one = 'one caller';
  const many = `${CALLERS} callers in turn`;
  const subjects = new Map([
    [one, called.at('/gateway/call')],
    [many, called.at('/gateway/call', callers)],
  ]);
  const reports = await loadInRounds(load, subjects, CONNECTIONS, options);
  printSection('Many callers on PostgreSQL', loadTable(reports), [
    atLeast(0.6, `${many} against one`, rateRatio(reports, many, one)),
  ]);
}

/** Nothing is held to a core here: servers, load, upstream and PostgreSQL share all of them. */
async function twoWorkers(stage: Stage, options: Options): Promise<void> {
  const upstream = stage.add(await startProgram('upstream', 'any'));
  const load = stage.add(await startLoad('any'));
  const subjects = new Map<string, Subject>();
  for (const workers of ['1', '2']) {
    const args = ['--workers', workers];
    const service = await stage.service(options.builds[0]!, 'postgres', { core: 'any', args });
    subjects.set(workers, (await prepareCalls(service, upstream.port)).at('/algorithms/call'));
  }
  for (const subject of subjects.values()) {
    await load.run({ ...subject, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  }
  const reports = await loadInRounds(load, subjects, CONNECTIONS, options);
  const rows = [...reports.keys()].map((name) => [name, rates(reports, name).map(format).join(', ')]);
  printSection('Workers on PostgreSQL', table(['Workers', 'Requests/s'], rows), [
    atLeast(0.9, 'Two workers against one', rateRatio(reports, '2', '1')),
  ]);
}
