import type { Clock } from '../support/clock.ts';
import type { Token } from '../di/token.ts';
import { boot, type Kernel } from '../kernel/boot.ts';
import { INSTALLATION } from '../kernel/installation.ts';
import type { PluginDeadlines } from '../kernel/lifecycle.ts';
import { makePlan } from '../kernel/plan.ts';
import type { PluginDefinition } from '../kernel/plugin.ts';
import type { Engine } from '../persistence/database.ts';
import { createLogger } from '../telemetry/pino-logger.ts';
import { makeScratch, type Scratch } from './scratch.ts';
import { signInOver, type SignedInClient, type TestAccount } from './sign-in.ts';
import { TestClient, type TestRequest, type TestResponse } from './test-client.ts';

/** The options of a test kernel. */
export interface TestKernelOptions {
  readonly engine: Engine;
  /** In any order. */
  readonly plugins: readonly PluginDefinition[];
  /** Section → key → value; takes precedence over all other values. */
  readonly settings?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly clock?: Clock;
  /** Whether jobs run when they are due. By default they run only through `runJob`. */
  readonly runsJobs?: boolean;
  /** How long plugins may take to start and to stop; as in the service where they are not given. */
  readonly deadlines?: Partial<PluginDeadlines>;
  /** A database to share with another kernel (several instances) or to reuse for a restart; the caller removes it. */
  readonly scratch?: Scratch;
  /** Receives the lines of the log. */
  readonly log?: { write(line: string): void };
}

/** A kernel with a real database and real HTTP on a free port. */
export interface TestKernel {
  readonly baseUrl: string;
  readonly rootUrl: string;
  readonly scratch: Scratch;
  get<T>(token: Token<T>): T;
  /** `path` is relative to `baseUrl`. */
  request(method: string, path: string, request?: TestRequest): Promise<TestResponse>;
  /**
   * Signs in over HTTP, as an ordinary user or as the administrator, and registers the account first if it is missing.
   * Needs the plugin `users`.
   */
  signIn(as?: TestAccount): Promise<SignedInClient>;
  /** Resolves when every listener has handled all events so far and the events that those caused. */
  settled(): Promise<void>;
  /** Runs a job now, due or not, and throws what it throws; `id` is `<plugin>:<name>`. */
  runJob(id: string): Promise<void>;
  /** Stops the kernel and removes its database, unless `scratch` was given. */
  stop(): Promise<void>;
}

/** Boots plugins as the service would, on an empty database of the engine. Throws what the start throws. */
export async function startTestKernel(options: TestKernelOptions): Promise<TestKernel> {
  const scratch = options.scratch ?? (await makeScratch(options.engine));
  const removeOwn = async (): Promise<void> => {
    if (!options.scratch) await scratch.remove();
  };
  let kernel: Kernel;
  try {
    kernel = await bootOn(scratch, options);
  } catch (error) {
    await removeOwn();
    throw error;
  }
  const rootUrl = kernel.url!;
  const baseUrl = `${rootUrl}/api/v1`;
  const client = new TestClient(baseUrl);
  const request: TestKernel['request'] = (method, path, more) => client.send(method, path, more);
  return {
    baseUrl,
    rootUrl,
    scratch,
    get: (token) => kernel.get(token),
    request,
    signIn: (as) => signInOver(request, as),
    settled: () => kernel.settled(),
    runJob: async (id) => {
      if (!(await kernel.get(INSTALLATION).jobs.run(id)))
        throw new Error(`The job "${id}" is running already.`);
    },
    stop: async () => {
      await Promise.all([kernel.stop(), client.closeConnections()]);
      await removeOwn();
    },
  };
}

async function bootOn(
  scratch: Scratch,
  { plugins, settings = {}, clock, log, runsJobs = false, deadlines = {} }: TestKernelOptions,
): Promise<Kernel> {
  const plan = await makePlan({
    env: {},
    cwd: scratch.dataDir,
    definitions: plugins,
    overrides: {
      ...settings,
      server: { port: 0, ...settings['server'] },
      data: { dir: scratch.dataDir, ...settings['data'] },
      database: { url: scratch.databaseUrl, ...settings['database'] },
    },
  });
  const logger = createLogger(log ? { level: 'debug', destination: log } : { level: 'silent' });
  return boot(plan, { listen: true, runsJobs, deadlines, logger, ...(clock ? { clock } : {}) });
}
