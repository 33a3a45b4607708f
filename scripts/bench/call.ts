import { TOKEN_ISSUER } from '../../core/index.ts';
import type { TestKernel } from '../../core/testing.ts';
import { ACCOUNTS } from '../../plugins/users/contract.ts';
import { plainCall, prepareCalls } from './support/called.ts';
import { startLoad, type Load, type Subject } from './support/load.ts';
import type { Options } from './support/options.ts';
import { startProgram, startService } from './support/processes.ts';
import { atLeast, atMost, format, loadTable, printSection, table } from './support/report.ts';
import { loadInRounds, rateRatio, rates, times } from './support/rounds.ts';
import type { Stage } from './support/stage.ts';

const CONNECTIONS = 50;
const CALLERS = 2000;
/** Two processes take longer than one until their code is compiled. */
const WARM_UP_SECONDS = 10;
const ENDPOINT = 'the endpoint itself';
const PEER = '@fastify/http-proxy';
const UNGUARDED = ' without guards';

/** The call beside a proxy that only forwards: fifty callers, one, many accounts, two workers. */
export async function measureCalls(stage: Stage, options: Options): Promise<void> {
  const upstream = stage.add(await startProgram('upstream', 'load'));
  const load = stage.add(await startLoad());
  const peer = stage.add(await startProgram('fastify-proxy', 'server', [String(upstream.port)]));
  const guarded = await services(stage, options, upstream.port, 'all');
  const unguarded = await services(stage, options, upstream.port, 'gateway');
  const subjects = new Map([
    [PEER, plainCall(peer)],
    ...guarded,
    ...Array.from(unguarded, ([name, subject]) => [name + UNGUARDED, subject] as const),
  ]);
  const names = [...guarded.keys()];
  const busy = await loadInRounds(load, subjects, CONNECTIONS, options);
  printSection(
    `The call, ${CONNECTIONS} connections`,
    names.flatMap((name) => [
      atLeast(0.7, `${name} against ${PEER}`, rateRatio(busy, name, PEER)),
      atLeast(0.85, `${name} against the same${UNGUARDED}`, rateRatio(busy, name, name + UNGUARDED)),
    ]),
    loadTable(busy),
  );
  const lone = await loadInRounds(load, subjects.set(ENDPOINT, plainCall(upstream)), 1, options);
  const added = (name: string): number => times(lone, name, 'p50') - times(lone, ENDPOINT, 'p50');
  printSection(
    'The call of a lone caller',
    names.map((name) => atMost(1.2, 'ms', `Added by ${name}`, added(name))),
    loadTable(lone),
  );
  if (!options.engines.includes('postgres')) return;
  await manyCallers(stage, load, upstream.port, options);
  await twoWorkers(stage, options);
}

async function services(
  stage: Stage,
  options: Options,
  upstreamPort: number,
  guards: 'all' | 'gateway',
): Promise<Map<string, Subject>> {
  const subjects = new Map<string, Subject>();
  for (const [name, service] of await stage.services(options, { env: { GATEWAY_GUARDS: guards } })) {
    const callsAt = await prepareCalls(service, upstreamPort);
    subjects.set(name, callsAt('/algorithms/call'));
  }
  return subjects;
}

/** The limits of the gateway are per account: each of many has to be counted by itself. */
async function manyCallers(stage: Stage, load: Load, upstreamPort: number, options: Options): Promise<void> {
  const installation = await stage.installation('postgres');
  const callsAt = await prepareCalls(stage.add(await startService(installation)), upstreamPort);
  const kernel = await stage.kernel(installation);
  const callers = await makeTokens(kernel);
  await kernel.stop();
  const one = 'one caller';
  const many = `${CALLERS} callers in turn`;
  const subjects = new Map([
    [one, callsAt('/gateway/call')],
    [many, callsAt('/gateway/call', callers)],
  ]);
  const reports = await loadInRounds(load, subjects, CONNECTIONS, options);
  const figure = atLeast(0.6, `${many} against one`, rateRatio(reports, many, one));
  printSection('Many callers on PostgreSQL', [figure], loadTable(reports));
}

/** Bearer tokens of new accounts, made beside the service: signing up is throttled, and hashes a password for each. */
async function makeTokens(kernel: TestKernel): Promise<string[]> {
  const tokens: string[] = [];
  for (let number = 1; number <= CALLERS; number += 1) {
    const username = `caller${number}`;
    const { id } = await kernel.get(ACCOUNTS).create({ username, email: `${username}@example.org` });
    tokens.push(kernel.get(TOKEN_ISSUER).issue(id).token);
  }
  return tokens;
}

/** Nothing is held to a core here: servers, load, upstream and PostgreSQL share all of them. */
async function twoWorkers(stage: Stage, options: Options): Promise<void> {
  const upstream = stage.add(await startProgram('upstream', 'any'));
  const load = stage.add(await startLoad('any'));
  const subjects = new Map<string, Subject>();
  for (const workers of ['1', '2']) {
    const how = { core: 'any', args: ['--workers', workers] } as const;
    const service = stage.add(await startService(await stage.installation('postgres'), how));
    const callsAt = await prepareCalls(service, upstream.port);
    subjects.set(workers, callsAt('/algorithms/call'));
  }
  for (const subject of subjects.values()) {
    await load.run({ ...subject, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  }
  const reports = await loadInRounds(load, subjects, CONNECTIONS, options);
  const figure = atLeast(0.9, 'Two workers against one', rateRatio(reports, '2', '1'));
  const rows = [...reports.keys()].map((name) => [name, rates(reports, name).map(format).join(', ')]);
  printSection('Workers on PostgreSQL', [figure], table(['Workers', 'Requests/s'], rows));
}
