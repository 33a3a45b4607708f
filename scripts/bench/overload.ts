import { prepareCalls } from './support/called.ts';
import { gets, isVoid, startLoad, type Load, type LoadReport, type Subject } from './support/load.ts';
import type { Options } from './support/options.ts';
import { startProgram } from './support/processes.ts';
import { atLeast, atMost, format, histogram, printSection, table } from './support/report.ts';
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
export function measureOverload(options: Options): Promise<void> {
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
    printSection(
      `Overload: ${TIMES} times what it can do, ${MANY_CONNECTIONS} connections`,
      answersTable(results),
      [...results].flatMap(([name, runs]) => figuresOf(name, runs)),
    );
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

/** A request that is due while all connections wait for answers is `unsent`. */
function answersTable(results: Rounds<Round>): string {
  const rows = Array.from(results, ([name, runs]) => [
    name,
    format(median(runs.map(capacityOf))),
    histogram(runs.map(({ overload }) => overload)),
  ]);
  return table(['What', 'Capacity/s', 'Answers'], rows);
}

/** A refusal is a 503 or a closed connection. */
function figuresOf(name: string, runs: readonly Round[]) {
  const goodput = medianRatio(
    runs.map(({ overload }) => overload.perSecond),
    runs.map(capacityOf),
  );
  const p99 = (timesIn: (run: Round) => number): number => median(runs.map(timesIn));
  return [
    atLeast(0.7, `Goodput, ${name}`, goodput),
    atMost(
      1000,
      'ms',
      `Accepted p99, ${name}`,
      p99(({ overload }) => overload.good.p99),
    ),
    atMost(
      500,
      'ms',
      `Refused p99, ${name}`,
      p99(({ overload }) => overload.refused.p99),
    ),
    atMost(
      500,
      'ms',
      `Probes p99, ${name}`,
      p99(({ probes }) => (isVoid(probes) ? NaN : probes.good.p99)),
    ),
  ];
}
