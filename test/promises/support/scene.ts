import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '../../../core/index.ts';
import { builtInPlugins, type Scratch, type TestRequest, type TestResponse } from '../../../core/testing.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { clientOf } from '../../support/service-client.ts';
import { startService, type Finished, type ServiceProcess } from '../../support/service-process.ts';
import { startUpstream, type Upstream } from '../../support/upstream.ts';

type Environment = Readonly<Record<string, string>>;

/** The built service in a process of its own, with one algorithm whose endpoint notes what it is asked. */
export interface Scene {
  readonly engine: Engine;
  readonly scratch: Scratch;
  readonly upstream: Upstream;
  /** The administrator's. */
  readonly token: string;
  readonly version: { readonly algorithm_id: string; readonly version_id: string };
  /** Of the process that runs now. */
  readonly url: string;
  readonly pid: number;
  request(method: string, path: string, more?: TestRequest): Promise<TestResponse>;
  /** The same as the administrator; the answer must be 200. */
  read(path: string): Promise<TestResponse['body']>;
  end(signal: NodeJS.Signals): Promise<Finished>;
  /** Starts the service again, on the same data unless the environment says otherwise. */
  start(env?: Environment): Promise<void>;
  remove(): Promise<void>;
}

const SLOWEST_MS = 25;

/** An endpoint that takes its time, so that calls are caught in every stage, and never answers an input with `isHeld`. */
function unhurriedUpstream(): Promise<Upstream> {
  const random = seededRandom(1);
  return startUpstream(async ({ body }) => {
    if (body.input_data.isHeld === true) await new Promise(() => undefined);
    await pause(random.below(SLOWEST_MS));
    return { n: body.input_data.n };
  });
}

/** `reach` leads the service to its database another way. */
export async function startScene(
  engine: Engine,
  env: Environment = {},
  reach: (databaseUrl: string) => string = (url) => url,
): Promise<Scene> {
  const scratch = await migratedScratch(engine, await builtInPlugins());
  const upstream = await unhurriedUpstream();
  const basics = {
    DATA_DIR: scratch.dataDir,
    DATABASE_URL: reach(scratch.databaseUrl),
    SAMPLES_SEED: 'false',
    GATEWAY_RATE_LIMIT: '0',
  };
  const launch = (more: Environment): Promise<ServiceProcess> => startService({ ...basics, ...env, ...more });
  const tidy = async (): Promise<void> => {
    await upstream.stop();
    await scratch.remove();
  };
  let service = await launch({}).catch(async (error: unknown) => {
    await tidy();
    throw error;
  });
  const { token, version } = await furnish(service.url, upstream.url);
  return {
    engine,
    scratch,
    upstream,
    token,
    version,
    get url() {
      return service.url;
    },
    get pid() {
      return service.child.pid!;
    },
    request: (method, path, more) => clientOf(service.url).request(method, path, more),
    read: (path) => clientOf(service.url).ok('GET', path, { token }),
    end: (signal) => service.end(signal),
    start: async (more = {}) => {
      service = await launch(more);
    },
    remove: async () => {
      await service.end('SIGKILL');
      await tidy();
    },
  };
}

async function furnish(url: string, endpoint: string): Promise<Pick<Scene, 'token' | 'version'>> {
  const client = clientOf(url);
  const token = await client.signUp('ada');
  const { id: algorithm_id } = await client.ok('POST', '/algorithms', {
    token,
    body: { name: 'Counted', description: 'Notes what it is asked', type: 'demo' },
  });
  const { id: version_id } = await client.ok('POST', `/algorithms/${algorithm_id}/versions`, {
    token,
    body: { version: '1', url: endpoint },
  });
  return { token, version: { algorithm_id, version_id } };
}
