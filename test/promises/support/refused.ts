import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { clientOf } from '../../support/service-client.ts';
import type { Scene } from './scene.ts';

/** What was counted is answered when it is stored, or after so long: a client that had the answer sooner must be counted. */
const CERTAIN_WITHIN_MS = 200;
const CLIENTS_OF_EACH = 2;
const BETWEEN_MS = 5;

/** The service was gone, or the request within the limit. */
const CERTAINLY_NOT_COUNTED = new Set(['ECONNREFUSED', 'algorithm_not_found']);

const NOBODYS = '00000000-0000-7000-8000-000000000000';

/** How many requests were sent, how many of these were told the refusal, and how many so soon that it was counted before. */
interface Tally {
  sent: number;
  answered: number;
  certain: number;
}

/** Two users whom the gateway refuses, one for a block and one for a limit, and what they were told. */
export interface Refused {
  /** They call again and again, until the service is gone or they are told to stop. */
  start(): { stop(): Promise<void> };
  /** Expects that each counter has all that was told, and no more than was sent. */
  expectCounted(): Promise<void>;
  /** How many refusals were told, by their code. */
  readonly answered: Readonly<Record<string, number>>;
}

export async function makeRefused(scene: Scene): Promise<Refused> {
  const client = clientOf(scene.url);
  const manage = (path: string, body: object) => client.ok('POST', path, { token: scene.token, body });
  const [blocked, limited] = [await client.signUp('mallory'), await client.signUp('eve')];
  const idOf = async (token: string): Promise<string> => (await client.ok('GET', '/users/me', { token })).id;
  await manage('/gateway/blocks', { subject: 'user', value: await idOf(blocked), reason: 'Too curious.' });
  await manage('/gateway/policies', {
    name: 'one a day',
    subject: 'user',
    subject_id: await idOf(limited),
    limit: 1,
    window_s: 86_400,
  });
  const tallies: Record<string, Tally> = {
    blocked: { sent: 0, answered: 0, certain: 0 },
    rate_limited: { sent: 0, answered: 0, certain: 0 },
  };
  const body = { algorithm_id: NOBODYS, version_id: NOBODYS, input_data: {} };
  // What is refused for another reason spends nothing of a limit.
  const spend = () =>
    client.ok('POST', '/algorithms/call', {
      token: limited,
      body: { ...scene.version, input_data: { n: 0 } },
    });
  await spend();

  const ask = async (token: string, refusal: string): Promise<void> => {
    const tally = tallies[refusal]!;
    const began = performance.now();
    tally.sent += 1;
    const code = await scene.request('POST', '/gateway/call', { token, body }).then(
      (answer) => answer.body.code as string,
      ({ cause }: Error) => (cause as NodeJS.ErrnoException | undefined)?.code,
    );
    if (code !== refusal && CERTAINLY_NOT_COUNTED.has(code ?? '')) tally.sent -= 1;
    if (code !== refusal) return;
    tally.answered += 1;
    if (performance.now() - began < CERTAIN_WITHIN_MS) tally.certain += 1;
  };

  return {
    start: () => {
      let isOver = false;
      const run = async (token: string, code: string): Promise<void> => {
        for (; !isOver; await pause(BETWEEN_MS)) await ask(token, code);
      };
      const running = Array.from({ length: CLIENTS_OF_EACH }, () => [
        run(blocked, 'blocked'),
        run(limited, 'rate_limited'),
      ]).flat();
      return {
        stop: async () => {
          isOver = true;
          await Promise.all(running);
        },
      };
    },
    expectCounted: async () => {
      const stats = await scene.read('/gateway/stats');
      for (const [code, { sent, certain }] of Object.entries(tallies))
        expect(stats[`${code}_requests`], code).to.be.within(certain, sent);
      const {
        total_requests,
        successful_requests,
        failed_requests,
        blocked_requests,
        rate_limited_requests,
      } = stats;
      expect(total_requests).to.equal(
        successful_requests + failed_requests + blocked_requests + rate_limited_requests,
      );
    },
    get answered() {
      return Object.fromEntries(Object.entries(tallies).map(([code, { answered }]) => [code, answered]));
    },
  };
}
