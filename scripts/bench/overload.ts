import { prepareCalls } from './support/called.ts';
import { gets, isVoid, startLoad, type Load, type LoadReport, type Subject } from './support/load.ts';
import type { Options } from './support/options.ts';
import { startProgram } from './support/processes.ts';
import { atLeast, atMost, format, histogram, printSection, table } from './support/report.ts';
import { interleaved, median, medianRatio } from './support/rounds.ts';
import type { Stage } from './support/stage.ts';

const CONNECTIONS = 50;
const MANY_CONNECTIONS = 1500;
const TIMES = 3;
const PROBES_PER_SECOND = 40;
/** So many that the gateway, which bounds the calls of each, does not refuse them before admission does. */
const ALGORITHMS = 16;

/** What the service can do, and what it does when offered three times as much. */
interface Round {
  /** Good answers per second. */
  readonly capacity: number;
  readonly overload: LoadReport;
  readonly probes: LoadReport;
}

/** Three times as many calls as the service can answer, sent evenly whether or not answers come. */
export async function measureOverload(stage: Stage, options: Options): Promise<void> {
  const upstream = stage.add(await startProgram('upstream', 'load'));
  const loads = { load: stage.add(await startLoad()), balancer: stage.add(await startLoad()) };
  const subjects = new Map<string, Subject>();
  for (const [name, service] of await stage.services(options)) {
    const callsAt = await prepareCalls(service, upstream.port, ALGORITHMS);
    subjects.set(name, callsAt('/algorithms/call'));
  }
  const results = await interleaved(subjects, options.rounds, (subject) =>
    measureRound(loads, subject, options.seconds),
  );
  const rows = Array.from(results, ([name, rounds]) => [
    name,
    format(median(rounds.map(({ capacity }) => capacity))),
    histogram(rounds.map(({ overload }) => overload)),
  ]);
  printSection(
    `Overload: ${TIMES} times what it can do, ${MANY_CONNECTIONS} connections`,
    [...results].flatMap(([name, rounds]) => figuresOf(name, rounds)),
    table(['What', 'Capacity/s', 'Answers (`unsent`: due while all connections waited for answers)'], rows),
  );
}

/** Capacity is measured before and after: a shared machine is not as fast in one second as in the next. */
async function measureRound(
  { load, balancer }: { readonly load: Load; readonly balancer: Load },
  subject: Subject,
  seconds: number,
): Promise<Round> {
  const calls = { ...subject, connections: CONNECTIONS, seconds };
  const before = await load.run(calls);
  const [overload, probes] = await Promise.all([
    load.run({ ...calls, connections: MANY_CONNECTIONS, perSecond: before.perSecond * TIMES }),
    balancer.run({
      ...gets(subject, '/api/v1/health'),
      connections: PROBES_PER_SECOND,
      seconds,
      perSecond: PROBES_PER_SECOND,
    }),
  ]);
  const after = await load.run(calls);
  return { capacity: (before.perSecond + after.perSecond) / 2, overload, probes };
}

/** A refusal is a 503 or a closed connection. */
function figuresOf(name: string, rounds: readonly Round[]) {
  const goodput = medianRatio(
    rounds.map(({ overload }) => overload.perSecond),
    rounds.map(({ capacity }) => capacity),
  );
  const p99 = (timeIn: (round: Round) => number): number => median(rounds.map(timeIn));
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
