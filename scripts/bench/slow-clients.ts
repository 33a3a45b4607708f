import { connect, type Socket } from 'node:net';
import { makeScratch } from '../../core/testing.ts';
import { prepareCalls, type Subject } from './support/called.ts';
import { capacityOf } from './support/capacity-of.ts';
import { withCleanup } from './support/cleanup.ts';
import { fillCatalogue } from './support/full-catalogue.ts';
import { startLoad, type Load, type Measured } from './support/load.ts';
import type { Options } from './support/options.ts';
import { progress } from './support/progress.ts';
import { startProgram } from './support/program.ts';
import { histogram, precise, table, targets, whole, type Section } from './support/report.ts';
import { requestBytes } from './support/requests.ts';
import { median, times } from './support/rounds.ts';
import { startService } from './support/service.ts';

const ALGORITHMS = 100;
const DESCRIPTION_CHARACTERS = 10_000;
/** Pages of a megabyte, together more than the kernel keeps for a client that reads nothing. */
const PIPELINED = 12;
const DRIP_MS = 500;
/** Of what it can do. */
const LOAD_SHARE = 0.3;
const LOAD_CONNECTIONS = 50;
const WINDOWS = 5;
const GIVE_UP_MS = 120_000;

/** What clients of one kind do, and how long the service may put up with it. */
interface Kind {
  readonly name: string;
  readonly count: number;
  /** Sent at once. */
  readonly begins: string;
  /** Sent twice a second. */
  readonly drip: string;
  readonly boundMs: number;
}

interface Seen {
  readonly kind: Kind;
  readonly opened: number;
  /** Milliseconds from the opening of the first to the end of the last; NaN when some never ended. */
  readonly slowestMs: number;
}

/** A thousand clients that send or read too slowly: when they are gone, and what the others feel of it. */
export function measureSlowClients({ seconds }: Options): Promise<Section[]> {
  return withCleanup(async (cleanup) => {
    const upstream = cleanup.add(await startProgram('upstream', 'load'));
    const load = cleanup.add(await startLoad());
    const store = await makeScratch('sqlite');
    cleanup.later(() => store.remove());
    const service = cleanup.add(await startService(store));
    const called = await prepareCalls(service, upstream.port);
    await fillCatalogue(called.admin, ALGORITHMS, DESCRIPTION_CHARACTERS);
    const subject = called.through('/algorithms/call');
    const perSecond = LOAD_SHARE * (await capacityOf(load, subject, seconds));
    const calls = (): Promise<Measured[]> => windows(load, { subject, perSecond, seconds });

    progress('without them');
    await calls();
    const without = await calls();
    progress('with them');
    const gone = Promise.all(kindsFor(called.admin.token).map((kind) => open(kind, service.port)));
    const meanwhile = await calls();
    progress('until they are gone');
    const seen = await gone;
    return [{ title: 'Slow clients', lines: lines({ without, meanwhile, seen, perSecond }) }];
  });
}

function kindsFor(token: string): readonly Kind[] {
  const call = requestBytes(
    'POST',
    '/api/v1/algorithms/call',
    { authorization: `Bearer ${token}` },
    'x'.repeat(1000),
  );
  const list = requestBytes('GET', `/api/v1/algorithms?limit=${ALGORITHMS}`, {});
  return [
    {
      name: 'headers that drip',
      count: 250,
      begins: 'GET /api/v1/algorithms HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ',
      drip: 'x',
      boundMs: 13_000,
    },
    { name: 'bodies that drip', count: 250, begins: call.slice(0, -900), drip: 'x', boundMs: 33_000 },
    {
      name: 'answers that nobody reads',
      count: 500,
      begins: list.repeat(PIPELINED),
      drip: list,
      boundMs: 65_000,
    },
  ];
}

interface Calls {
  readonly subject: Subject;
  readonly perSecond: number;
  readonly seconds: number;
}

async function windows(load: Load, { subject, perSecond, seconds }: Calls): Promise<Measured[]> {
  const all: Measured[] = [];
  for (let window = 0; window < WINDOWS; window += 1) {
    all.push(await load.run({ ...subject, connections: LOAD_CONNECTIONS, seconds, perSecond }));
  }
  return all;
}

async function open(kind: Kind, port: number): Promise<Seen> {
  const sockets = Array.from({ length: kind.count }, () => connect({ port, host: '127.0.0.1' }));
  const lives = await Promise.all(sockets.map((socket) => lifeOf(socket, kind)));
  return {
    kind,
    opened: lives.filter(({ wasOpen }) => wasOpen).length,
    slowestMs: Math.max(...lives.map(({ ms }) => ms)),
  };
}

/** Until a write fails: one who does not read is not told that the other side is gone. */
function lifeOf(
  socket: Socket,
  { begins, drip }: Kind,
): Promise<{ readonly wasOpen: boolean; readonly ms: number }> {
  const began = performance.now();
  let wasOpen = false;
  socket.pause();
  socket.on('error', () => undefined);
  socket.on('connect', () => {
    wasOpen = true;
    socket.write(begins);
  });
  const dripping = setInterval(() => socket.write(drip), DRIP_MS);
  return new Promise((resolve) => {
    const givingUp = setTimeout(() => {
      resolve({ wasOpen, ms: NaN });
      socket.destroy();
    }, GIVE_UP_MS);
    socket.on('close', () => {
      clearInterval(dripping);
      clearTimeout(givingUp);
      resolve({ wasOpen, ms: performance.now() - began });
    });
  });
}

interface Found {
  readonly without: readonly Measured[];
  readonly meanwhile: readonly Measured[];
  readonly seen: readonly Seen[];
  readonly perSecond: number;
}

function lines({ without, meanwhile, seen, perSecond }: Found): string[] {
  const reports = new Map([
    ['before', without],
    ['meanwhile', meanwhile],
  ]);
  const growth = times(reports, 'meanwhile', 'p99') / times(reports, 'before', 'p99');
  return [
    `They send something twice a second, and come while ${whole(perSecond)} calls a second are made by others.`,
    ...table(
      ['Clients with', 'Opened', 'Last one gone after s'],
      seen.map(({ kind, opened, slowestMs }) => [kind.name, whole(opened), precise(slowestMs / 1000)]),
    ),
    ...table(
      ['Calls of others', 'p50 ms', 'p99 ms', 'Answers'],
      Array.from(reports, ([when, runs]) => [
        when,
        precise(median(runs.map(({ good }) => good.p50))),
        precise(times(reports, when, 'p99')),
        histogram(runs),
      ]),
    ),
    ...targets([
      ...seen.map(
        ({ kind, slowestMs }) =>
          ({
            what: `Last one with ${kind.name} gone`,
            value: slowestMs / 1000,
            must: kind.boundMs / 1000,
            better: 'less',
            unit: ' s',
          }) as const,
      ),
      { what: 'p99 of others against before', value: growth, must: 2, better: 'less' },
    ]),
  ];
}
