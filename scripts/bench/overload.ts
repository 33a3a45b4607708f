import { prepareCalls } from './support/called.ts';
import { gets, isVoid, startLoad, type Load, type LoadReport, type Subject } from './support/load.ts';
import type { Options } from './support/options.ts';
import { startProgram } from './support/processes.ts';
import { histogram, precise, table, targets, whole, type Section, type Target } from './support/report.ts';
import { interleaved, median, medianRatio, type Rounds } from './support/rounds.ts';
import { eachService, onStage } from './support/stage.ts';

const CONNECTIONS = 50;
const MANY_CONNECTIONS = 1500;
const TIMES = 3;
const PROBES_PER_SECOND = 40;
/** So many that the gateway, which bounds the calls of each, does not refuse them before admission does. */
const ALGORITHMS = 16;

/** One round: what the service can do, what it does when offered three times as much, and what it can do then. */
interface Round {
  readonly before: LoadReport;
  readonly overload: LoadReport;
  readonly probes: LoadReport;
  readonly after: LoadReport;
}

/** Three times as many calls as the service can answer, sent evenly whether or not answers come. */
export function measureOverload(options: Options): Promise<readonly Section[]> {
  return onStage(async (stage) => {
    const upstream = stage.add(await startProgram('upstream', 'load'));
    const loads = { load: stage.add(await startLoad()), balancer: stage.add(await startLoad()) };
    const subjects = await eachService(options, async (build, engine) => {
      const called = await prepareCalls(await stage.service(build, engine), upstream.port, ALGORITHMS);
      return called.at('/algorithms/call');
    });
    const results = await interleaved(subjects, options.rounds, (subject) =>
      round(loads, subject, options.seconds),
    );
    return [
      {
        title: `Overload: ${TIMES} times what it can do, ${MANY_CONNECTIONS} connections`,
        lines: lines(results),
      },
    ];
  });
}

async function round(
  { load, balancer }: { readonly load: Load; readonly balancer: Load },
  subject: Subject,
  seconds: number,
): Promise<Round> {
  const capacity = (): Promise<LoadReport> => load.run({ ...subject, connections: CONNECTIONS, seconds });
  const before = await capacity();
  const perSecond = before.perSecond * TIMES;
  const [overload, probes] = await Promise.all([
    load.run({ ...subject, connections: MANY_CONNECTIONS, seconds, perSecond }),
    balancer.run({
      ...gets(subject, '/api/v1/health'),
      connections: PROBES_PER_SECOND,
      seconds,
      perSecond: PROBES_PER_SECOND,
    }),
  ]);
  return { before, overload, probes, after: await capacity() };
}

/** A shared machine is not as fast in one second as in the next. */
function capacityOf({ before, after }: Round): number {
  return (before.perSecond + after.perSecond) / 2;
}

function lines(results: Rounds<Round>): string[] {
  const all = Array.from(results, ([name, runs]) => ({
    name,
    capacity: median(runs.map(capacityOf)),
    goodput: medianRatio(
      runs.map(({ overload }) => overload.perSecond),
      runs.map(capacityOf),
    ),
    accepted: median(runs.map(({ overload }) => overload.good.p99)),
    refused: median(runs.map(({ overload }) => overload.refused.p99)),
    probes: median(runs.map(({ probes }) => (isVoid(probes) ? NaN : probes.good.p99))),
    answers: histogram(runs.map(({ overload }) => overload)),
  }));
  const rows = all.map(({ name, capacity, goodput, accepted, refused, probes, answers }) => [
    name,
    whole(capacity),
    precise(goodput),
    `${whole(accepted)} / ${whole(refused)} / ${whole(probes)}`,
    answers,
  ]);
  const figures = all.flatMap(({ name, goodput, accepted, refused, probes }): Target[] => [
    { what: `Goodput, ${name}`, value: goodput, must: 0.7, better: 'more' },
    { what: `Accepted p99, ${name}`, value: accepted, must: 1000, better: 'less', unit: ' ms' },
    { what: `Refused p99, ${name}`, value: refused, must: 500, better: 'less', unit: ' ms' },
    { what: `Probes p99, ${name}`, value: probes, must: 500, better: 'less', unit: ' ms' },
  ]);
  return [
    'A request that is due while all connections wait for answers is `unsent`. A refusal is a 503 or a closed connection.',
    ...table(['What', 'Capacity/s', 'Goodput', 'p99 ms: accepted / refused / probes', 'Answers'], rows),
    ...targets(figures),
  ];
}
