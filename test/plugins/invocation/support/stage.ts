import type { Clock, Engine } from '../../../../core/index.ts';
import type { PluginDefinition } from '../../../../core/kernel/plugin.ts';
import {
  builtInPlugins,
  type Scratch,
  type TestKernel,
  type TestResponse,
} from '../../../../core/testing.ts';
import { signIn, signUp } from '../../../support/accounts.ts';
import { startMigratedKernel } from '../../../support/databases/migrated-kernel.ts';
import { withServices, type OtherService } from '../../../support/other-services.ts';
import { startUpstream, type Upstream } from '../../../support/upstream.ts';

type Body = Readonly<Record<string, unknown>>;

export interface StageOptions {
  readonly settings?: Readonly<Record<string, Body>>;
  readonly clock?: Clock;
  readonly scratch?: Scratch;
  /** Plugins of the test's own. */
  readonly plugins?: readonly PluginDefinition[];
  /** Made in another way than the plugins make them. */
  readonly services?: readonly OtherService[];
  readonly log?: { write(line: string): void };
}

/** An algorithm with one version. */
export interface Playable {
  readonly algorithm_id: string;
  readonly version_id: string;
}

/** A running service with an endpoint, an administrator and a user. */
export interface Stage extends TestKernel {
  readonly upstream: Upstream;
  readonly admin: string;
  readonly alice: string;
  /** Registers somebody and answers the token. */
  signUp(username: string): Promise<string>;
  /** Makes an algorithm with a version at the endpoint, with more fields of either. */
  play(more?: { readonly algorithm?: Body; readonly version?: Body }): Promise<Playable>;
  /** Calls as alice, unless somebody else is named. */
  call(of: Playable, more?: Body, token?: string): Promise<TestResponse>;
}

type Answer = Parameters<typeof startUpstream>[0];

/** Boots what a call needs, with history, on a database with nothing in its tables. */
export async function startStage(
  engine: Engine,
  answer?: Answer,
  options: StageOptions = {},
): Promise<Stage> {
  const { plugins: own = [], services = [], ...rest } = options;
  const builtIn = await builtInPlugins(['users', 'catalogue', 'permissions', 'invocation', 'history']);
  const kernel = await startMigratedKernel({
    engine,
    plugins: withServices([...builtIn, ...own], services),
    ...rest,
  });
  const upstream = await startUpstream(answer);
  const ok = async (path: string, body: Body, token?: string): Promise<TestResponse['body']> => {
    const answered = await kernel.request('POST', path, { body, ...(token ? { token } : {}) });
    if (answered.status !== 200) throw new Error(`${path}: ${JSON.stringify(answered.body)}`);
    return answered.body;
  };
  const isNew =
    options.scratch === undefined || (await kernel.request('GET', '/algorithms')).body.total === 0;
  const tokenOf = async (username: string, isThere: boolean): Promise<string> =>
    isThere ? signIn(kernel, username) : (await signUp(kernel, username)).token;
  const admin = await tokenOf('admin', !isNew);
  const alice = await tokenOf('alice', !isNew);
  return {
    ...kernel,
    upstream,
    admin,
    alice,
    signUp: (username) => tokenOf(username, false),
    play: async ({ algorithm = {}, version = {} } = {}) => {
      const about = { name: 'Echo', description: 'Says it again', type: 'ml', ...algorithm };
      const { id: algorithm_id } = await ok('/algorithms', about, admin);
      const { id: version_id } = await ok(
        `/algorithms/${algorithm_id}/versions`,
        { version: '1', url: upstream.url, ...version },
        admin,
      );
      return { algorithm_id, version_id };
    },
    call: (of, more = {}, token = alice) =>
      kernel.request('POST', '/algorithms/call', { token, body: { ...of, input_data: {}, ...more } }),
    stop: async () => {
      await kernel.stop();
      await upstream.stop();
    },
  };
}
