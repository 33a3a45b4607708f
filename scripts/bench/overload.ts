import type { Engine } from '../../core/index.ts';
import { makeScratch } from '../../core/testing.ts';
import { prepareCalls, type Subject } from './support/called.ts';
import { withCleanup, type Cleanup } from './support/cleanup.ts';
import { UNSAID } from './support/connection.ts';
import { isVoid, startLoad, type Load, type Measured } from './support/load.ts';
import type { Options } from './support/options.ts';
import { startProgram } from './support/program.ts';
import { histogram, precise, table, targets, whole, type Section } from './support/report.ts';
import { interleaved, median, medianRatio } from './support/rounds.ts';
import { requestBytes } from './support/requests.ts';
import { startService } from './support/service.ts';

const CAPACITY_CONNECTIONS = 50;
const MANY_CONNECTIONS = 1500;
const TIMES = 3;

const HEALTH_PER_SECOND = 40;

/** One round: what it can do, what it does when offered three times as much, and what it can do then. */
interface Round {
  readonly before: Measured;
  readonly overload: Measured;
  /** What a balancer sees meanwhile. */
  readonly health: Measured;
  readonly after: Measured;
}

/** Three times as many calls as it can serve, sent evenly whether or not answers come. */
export function measureOverload(options: Options): Promise<Section[]> {
  return withCleanup(async (cleanup) => {
    const upstream = cleanup.add(await startProgram('upstream', 'load'));
    const load = cleanup.add(await startLoad());
    const balancer = cleanup.add(await startLoad());
    const subjects: Readonly<Record<Engine, Subject>> = {
      sqlite: await callsOf('sqlite', upstream.port, cleanup),
      postgres: await callsOf('postgres', upstream.port, cleanup),
    };
    const results = await interleaved(['sqlite', 'postgres'], options.rounds, (engine) =>
      round({ load, balancer }, subjects[engine as Engine], options.seconds),
    );
    return [{ title: `Overload: ${TIMES} times what it can do`, lines: lines(results) }];
  });
}

async function callsOf(engine: Engine, upstreamPort: number, cleanup: Cleanup): Promise<Subject> {
  const store = await makeScratch(engine);
  cleanup.later(() => store.remove());
  const called = await prepareCalls(cleanup.add(await startService(store)), upstreamPort);
  return called.through('/algorithms/call');
}

interface Loads {
  readonly load: Load;
  readonly balancer: Load;
}

async function round({ load, balancer }: Loads, subject: Subject, seconds: number): Promise<Round> {
  const capacity = (): Promise<Measured> =>
    load.run({ ...subject, connections: CAPACITY_CONNECTIONS, seconds });
  const before = await capacity();
  const [overload, health] = await Promise.all([
    load.run({
      ...subject,
      connections: MANY_CONNECTIONS,
      seconds,
      perSecond: before.perSecond * TIMES,
      leaveUnsent: true,
    }),
    balancer.run({
      port: subject.port,
      request: requestBytes('GET', '/api/v1/health', {}),
      connections: 1,
      seconds,
      perSecond: HEALTH_PER_SECOND,
    }),
  ]);
  return { before, overload, health, after: await capacity() };
}

/** A shared machine is not as fast in one second as in the next. */
function capacityOf({ before, after }: Round): number {
  return (before.perSecond + after.perSecond) / 2;
}

function lines(results: ReadonlyMap<string, readonly Round[]>): string[] {
  const names: Readonly<Record<string, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };
  const all = Array.from(results, ([engine, runs]) => ({
    name: names[engine]!,
    runs,
    figures: figuresOf(runs),
  }));
  const rows = all.map(({ name, runs, figures }) => [
    name,
    whole(figures.capacity),
    precise(figures.sent),
    precise(figures.goodput),
    whole(figures.acceptedP99),
    whole(figures.refusedP99),
    histogram(runs.map(({ overload }) => overload)),
  ]);
  return [
    `Load comes over ${MANY_CONNECTIONS} connections. A request that is due while all of them wait for an answer is not sent (\`unsent\`), for the service lets requests wait for a place before it refuses them; _Sent_ is what was sent, in capacities. A refusal is a 503 or a connection that is closed.`,
    ...table(
      [
        'Engine',
        'Capacity/s',
        'Sent',
        'Goodput',
        'Accepted p99 ms',
        'Refused p99 ms',
        'Answers under overload',
      ],
      rows,
    ),
    ...targets(all.flatMap(({ name, figures }) => targetsOf(name, figures))),
  ];
}

interface Figures {
  readonly capacity: number;
  /** Good answers under overload against those that come without, before and after. */
  readonly goodput: number;
  readonly acceptedP99: number;
  readonly refusedP99: number;
  /** Of requests that were sent, not only due; in capacities. */
  readonly sent: number;
  readonly unsaid: number;
  readonly healthP99: number;
  /** The p99 of the seconds after it against those before. */
  readonly recovered: number;
}

function figuresOf(runs: readonly Round[]): Figures {
  const good = runs.map(({ overload }) => overload.perSecond);
  return {
    capacity: median(runs.map(capacityOf)),
    goodput: medianRatio(good, runs.map(capacityOf)),
    acceptedP99: median(runs.map(({ overload }) => overload.good.p99)),
    refusedP99: median(runs.map(({ overload }) => overload.refused.p99)),
    sent: TIMES * median(runs.map(({ overload }) => sentShare(overload))),
    unsaid: runs.reduce((sum, { overload }) => sum + (overload.answers[UNSAID] ?? 0), 0),
    healthP99: median(runs.map(({ health }) => (isVoid(health) ? NaN : health.good.p99))),
    recovered: medianRatio(
      runs.map(({ after }) => after.good.p99),
      runs.map(({ before }) => before.good.p99),
    ),
  };
}

function sentShare({ answers: { unsent = 0, ...sent } }: Measured): number {
  const count = Object.values(sent).reduce((sum, one) => sum + one, 0);
  return count / (count + unsent);
}

function targetsOf(name: string, figures: Figures) {
  return [
    { what: `Goodput on ${name}`, value: figures.goodput, must: 0.8, better: 'more' },
    {
      what: `Accepted p99 on ${name}`,
      value: figures.acceptedP99,
      must: 1000,
      better: 'less',
      unit: ' ms',
    },
    { what: `Refused p99 on ${name}`, value: figures.refusedP99, must: 250, better: 'less', unit: ' ms' },
    { what: `Refusals on ${name} without Retry-After`, value: figures.unsaid, must: 0, better: 'less' },
    {
      what: `p99 of /health on ${name} meanwhile`,
      value: figures.healthP99,
      must: 250,
      better: 'less',
      unit: ' ms',
    },
    {
      what: `p99 of calls on ${name} right after, against before`,
      value: figures.recovered,
      must: 2,
      better: 'less',
    },
  ] as const;
}
