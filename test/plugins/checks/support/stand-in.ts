import { definePlugin, listen, type Engine } from '../../../../core/index.ts';
import { builtInPlugins, type TestResponse } from '../../../../core/testing.ts';
import { versionBroke, versionMended } from '../../../../plugins/checks/contract.ts';
import type { OtherService } from '../../../support/other-services.ts';
import { startMigratedKernel } from '../../../support/databases/migrated-kernel.ts';
import type { UpstreamRequest } from '../../../support/upstream.ts';
import { startStage, type Playable, type Stage } from '../../invocation/support/stage.ts';
import { manualClock } from '../../users/manual-clock.ts';

const OTHERS = ['api-keys', 'audit', 'gateway', 'monitoring', 'checks'];
const HOUR = 3_600_000;

type Answer = (request: UpstreamRequest) => unknown;
// oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on what it reads
type Body = any;

/** A version that is checked. */
export interface Checked extends Playable {
  readonly path: string;
}

/** A service with the plugin, and an endpoint that breaks and mends itself as the test says. */
export interface StandIn extends Stage {
  /** What was told as events. */
  readonly told: { readonly [what: string]: unknown }[];
  /** A key of the administrator, which outlives tokens when the clock moves. */
  readonly key: string;
  /** What the endpoint answers from now on; `undefined` is a status 500. */
  answers(answer: Answer): void;
  /** A version at the endpoint with an example that expects `{ value: 1 }`, or other fields; `null` for none. */
  checked(example?: object | null, more?: Parameters<Stage['play']>[0]): Promise<Checked>;
  addExample(of: Checked, fields?: object): Promise<Body>;
  /** Lets so many hours pass, and the job run after each. */
  hoursLater(hours?: number): Promise<void>;
  stateOf(of: Checked): Promise<Body>;
  send(method: string, path: string, body?: unknown, token?: string): Promise<TestResponse>;
  /** Sends as the administrator and expects 200. */
  ask(method: string, path: string, body?: unknown): Promise<Body>;
  /** Another process on the same database. */
  peer(): ReturnType<typeof startMigratedKernel>;
}

/** The answer that examples expect. */
export const RIGHT: Answer = () => ({ value: 1 });
export const WRONG: Answer = () => ({ value: 2 });

export async function openStandIn(engine: Engine, services: readonly OtherService[] = []): Promise<StandIn> {
  const clock = { ...manualClock(Date.now()), elapsed: () => performance.now() };
  let answer: Answer = RIGHT;
  const told: StandIn['told'] = [];
  const stage = await startStage(
    engine,
    (request, response) => {
      const value = answer(request);
      if (value === undefined) response.writeHead(500).end();
      return value;
    },
    { plugins: [...(await builtInPlugins(OTHERS)), listener(told)], clock, services },
  );
  const key = (
    await stage.request('POST', '/api-keys', {
      token: stage.admin,
      body: { name: 'test', expires_at: '2099-01-01T00:00:00Z' },
    })
  ).body.key;
  const send: StandIn['send'] = (method, path, body, token = key) =>
    stage.request(method, path, { token, ...(body !== undefined && { body }) });
  const ask: StandIn['ask'] = async (method, path, body) => {
    const answered = await send(method, path, body);
    if (answered.status !== 200)
      throw new Error(`${method} ${path}: ${answered.status} ${JSON.stringify(answered.body)}`);
    return answered.body;
  };
  const addExample: StandIn['addExample'] = async ({ path }, fields = {}) => {
    const example = { name: 'One', input_data: {}, output_data: { value: 1 }, ...fields };
    const added = await ask('POST', `${path}/examples`, example);
    await stage.settled();
    return added;
  };
  return {
    ...stage,
    told,
    key,
    send,
    ask,
    addExample,
    answers: (next) => void (answer = next),
    checked: async (example = {}, { algorithm, version } = {}) => {
      const about = { name: 'Checked', description: '', type: 'ml', ...algorithm };
      const { id: algorithm_id } = await ask('POST', '/algorithms', about);
      const fields = { version: '1', url: stage.upstream.url, ...version };
      const { id: version_id } = await ask('POST', `/algorithms/${algorithm_id}/versions`, fields);
      const of = { algorithm_id, version_id, path: `/algorithms/${algorithm_id}/versions/${version_id}` };
      if (example !== null) await addExample(of, example);
      return of;
    },
    hoursLater: async (hours = 1) => {
      for (let n = 0; n < hours; n += 1) {
        clock.advance(HOUR);
        await stage.runJob('checks:check-versions');
        await stage.settled();
      }
    },
    stateOf: ({ path }) => ask('GET', `${path}/check`),
    peer: async () =>
      startMigratedKernel({
        engine,
        plugins: await builtInPlugins(['users', 'catalogue', 'permissions', 'invocation', 'checks']),
        scratch: stage.scratch,
        clock,
      }),
  };
}

function listener(told: StandIn['told']) {
  return definePlugin({
    id: 'listener',
    version: '1.0.0',
    api: '^1.0',
    summary: 'Hears what checks tell',
    requires: ['checks'],
    events: {
      emits: [],
      listens: [
        listen(versionBroke, { deps: {}, handle: (fact) => void told.push({ broke: fact }) }),
        listen(versionMended, { deps: {}, handle: (fact) => void told.push({ mended: fact }) }),
      ],
    },
  });
}
