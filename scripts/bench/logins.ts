import { makeScratch } from '../../core/testing.ts';
import { prepareCalls } from './support/called.ts';
import { capacityOf } from './support/capacity-of.ts';
import { withCleanup } from './support/cleanup.ts';
import { PASSWORD } from './support/client.ts';
import { startLoad, type Load, type Measured } from './support/load.ts';
import type { Options } from './support/options.ts';
import { progress } from './support/progress.ts';
import { startProgram } from './support/program.ts';
import { histogram, precise, table, targets, whole, type Section } from './support/report.ts';
import { requestBytes } from './support/requests.ts';
import { interleaved, median, medianRatio, times, type Reports } from './support/rounds.ts';
import { startService, type Service } from './support/service.ts';

const PARALLEL = 200;
/** Of what it can do. */
const LOAD_SHARE = 0.3;
const LOAD_CONNECTIONS = 50;
/** The machine's speed changes within seconds, and what is compared shall not differ by that. */
const FAILURE_ROUNDS = 12;
const FAILURE_SECONDS = 0.25;
const KNOWN = 'a known account';
const UNKNOWN = 'an unknown account';
const ALONE = 'alone';
const BESIDE = `beside ${PARALLEL} logins at once`;

/** No limit but the machine: all of them come from one address. */
const UNTHROTTLED = {
  USERS_LOGIN_FAILURES_PER_ACCOUNT: '1000',
  USERS_LOGIN_FAILURES_PER_ADDRESS: '100000',
};

/** Logins: how many, whether their time tells who has an account, and what the calls of others feel of them. */
export function measureLogins({ rounds, seconds }: Options): Promise<Section[]> {
  return withCleanup(async (cleanup) => {
    const upstream = cleanup.add(await startProgram('upstream', 'any'));
    const calls = cleanup.add(await startLoad('any'));
    const logins = cleanup.add(await startLoad('any'));
    const store = await makeScratch('sqlite');
    cleanup.later(() => store.remove());
    const service = cleanup.add(await startService(store, { place: 'any', env: UNTHROTTLED }));
    const called = await prepareCalls(service, upstream.port);
    const login = loginOf(service, 'bench', PASSWORD);
    const subject = called.through('/algorithms/call');

    progress('right and wrong');
    const failures = await failuresOf(service, logins);
    progress('as many as it can');
    const sustained = await logins.run({ ...login, connections: 20, seconds });
    progress('beside calls');
    const perSecond = LOAD_SHARE * (await capacityOf(calls, subject, seconds));
    const call = { ...subject, connections: LOAD_CONNECTIONS, seconds, perSecond };
    const beside: Measured[] = [];
    const reports = await interleaved([ALONE, BESIDE], rounds, async (name) => {
      const many = name === BESIDE ? logins.run({ ...login, connections: PARALLEL, seconds }) : undefined;
      const report = await calls.run(call);
      if (many) {
        beside.push(await many);
        // Logins take turns: those that are still in line would lie beside the calls that are measured alone.
        await logins.run({ ...login, connections: 1, seconds: 1 });
      }
      return report;
    });
    return [{ title: 'Logins', lines: lines({ failures, sustained, reports, beside, perSecond }) }];
  });
}

function loginOf({ port, pid }: Service, username: string, password: string) {
  const body = JSON.stringify({ username, password });
  return { port, pid, request: requestBytes('POST', '/api/v1/users/login', {}, body) };
}

/** One after the other, with a wrong password, in many short turns; fewer than an account may have before it must wait. */
function failuresOf(service: Service, load: Load): Promise<Reports> {
  const names: Readonly<Record<string, string>> = { [KNOWN]: 'bench', [UNKNOWN]: 'nobody' };
  return interleaved([KNOWN, UNKNOWN], FAILURE_ROUNDS, (name) =>
    load.run({
      ...loginOf(service, names[name]!, 'not the password'),
      connections: 1,
      seconds: FAILURE_SECONDS,
    }),
  );
}

interface Found {
  readonly failures: Reports;
  readonly sustained: Measured;
  readonly reports: Reports;
  readonly beside: readonly Measured[];
  readonly perSecond: number;
}

function lines({ failures, sustained, reports, beside, perSecond }: Found): string[] {
  const failed = (name: string): number[] => failures.get(name)!.map(({ refused }) => refused.p50);
  const p99 = (name: string): number => times(reports, name, 'p99');
  return [
    'On both cores, like the load and the endpoint.',
    ...table(
      ['Logins', 'per second', 'p50 ms', 'Answers'],
      [
        ...[KNOWN, UNKNOWN].map((name) => [
          `wrong password of ${name}`,
          '',
          precise(median(failed(name))),
          histogram(failures.get(name)!),
        ]),
        ['of 20 clients', whole(sustained.perSecond), precise(sustained.good.p50), histogram([sustained])],
        [
          `of ${PARALLEL} clients, beside calls`,
          whole(median(beside.map((report) => report.perSecond))),
          precise(median(beside.map(({ good }) => good.p50))),
          histogram(beside),
        ],
      ],
    ),
    ...table(
      [`${whole(perSecond)} calls a second`, 'p50 ms', 'p99 ms', 'Answers'],
      [ALONE, BESIDE].map((name) => [
        name,
        precise(median(reports.get(name)!.map(({ good }) => good.p50))),
        precise(p99(name)),
        histogram(reports.get(name)!),
      ]),
    ),
    ...targets([
      {
        what: 'Unknown against known account, medians',
        value: 100 * Math.abs(medianRatio(failed(UNKNOWN), failed(KNOWN)) - 1),
        must: 10,
        better: 'less',
        unit: ' %',
      },
      { what: 'Logins per second', value: sustained.perSecond, must: 40, better: 'more' },
      { what: `p99 of calls, ${BESIDE}`, value: p99(BESIDE) / p99(ALONE), must: 2, better: 'less' },
    ]),
  ];
}
