import { makePlan } from '../../../core/kernel/plan.ts';
import { expect } from 'chai';
import Type from 'typebox';
import {
  CLOCK,
  contribute,
  DATABASE,
  defineEvent,
  definePlugin,
  defineSettings,
  EVENTS,
  extensionPoint,
  healthCheck,
  HTTP_MIDDLEWARES,
  listen,
  LOGGER,
  named,
  routesWith,
  service,
  setting,
  step,
  token,
} from '../../../core/index.ts';
import type { PluginDefinition } from '../../../core/kernel/plugin.ts';
import { makeScratch, onEveryEngine, startTestKernel } from '../../../core/testing.ts';
import { failure, overwriteAfterFirstPage } from '../persistence/support.ts';

const GREETER = token<{ greet(name: string): string }>('alpha:greeter');
const TITLES = extensionPoint<string>('alpha:titles');
const AlphaSettings = defineSettings('alpha', {
  word: setting(Type.String(), { default: 'Hello', description: 'The word to greet with.' }),
});
const greeted = defineEvent('alpha:greeted', Type.Object({ name: Type.String() }), 'Somebody was greeted.');

function alpha(diary: string[] = []): PluginDefinition {
  const route = routesWith({ greeter: GREETER, events: EVENTS });
  return definePlugin({
    id: 'alpha',
    version: '1.0.0',
    api: '^1.0',
    summary: 'Greets',
    config: AlphaSettings,
    opens: [TITLES],
    services: [
      service({
        token: GREETER,
        deps: { settings: AlphaSettings.token, titles: TITLES },
        create: ({ settings, titles }) => ({ greet: (name) => [settings.word, ...titles, name].join(' ') }),
      }),
    ],
    routes: [
      route({
        method: 'GET',
        path: '/greetings/{name}',
        operationId: 'greet',
        summary: 'Greets somebody',
        access: 'public',
        answers: named('Greeting', Type.Object({ text: Type.String() })),
        handle: ({ path }, { greeter, events }) => {
          events.emit(greeted, { name: path.name });
          return { text: greeter.greet(path.name), secret: 'not declared' };
        },
      }),
    ],
    events: { emits: [greeted] },
    migrations: [
      {
        name: '0001_greetings',
        up: async (trx) => {
          await trx.schema.createTable('alpha_greetings', (table) => void table.text('id').primary());
        },
      },
    ],
    start: step(
      { greeter: GREETER },
      ({ greeter }) => void diary.push(`alpha starts: ${greeter.greet('x')}`),
    ),
    stop: step({ database: DATABASE }, async ({ database }) => {
      await database.ping();
      diary.push('alpha stops');
    }),
  });
}

function beta(diary: string[] = []): PluginDefinition {
  return definePlugin({
    id: 'beta',
    version: '1.0.0',
    api: '^1.0',
    summary: 'Titles',
    requires: ['alpha'],
    contributes: [contribute(TITLES, { deps: {}, create: () => 'Dr.' })],
    events: {
      listens: [
        listen(greeted, { deps: { clock: CLOCK }, handle: ({ name }) => void diary.push(`heard ${name}`) }),
      ],
    },
    health: [healthCheck({ name: 'mood', deps: {}, check: () => ({ state: 'degraded', detail: 'tired' }) })],
    start: step({ logger: LOGGER }, ({ logger }) => {
      logger.info({}, 'beta says');
      diary.push('beta starts');
    }),
    stop: step({}, () => void diary.push('beta stops')),
  });
}

describe('booting', () => {
  onEveryEngine((engine) => {
    it('starts in order, serves over HTTP, delivers events, and stops in reverse with the database still open', async () => {
      const diary: string[] = [];
      const kernel = await startTestKernel({ engine, plugins: [beta(diary), alpha(diary)] });
      const { status, body } = await kernel.request('GET', '/greetings/Who');
      expect([status, body]).to.deep.equal([200, { text: 'Hello Dr. Who' }]);
      await kernel.stop();
      expect(diary).to.deep.equal([
        'alpha starts: Hello Dr. x',
        'beta starts',
        'heard Who',
        'beta stops',
        'alpha stops',
      ]);
    });

    it('starts again on the same database', async () => {
      const scratch = await makeScratch(engine);
      try {
        for (const word of ['Hello', 'Again']) {
          const kernel = await startTestKernel({
            engine,
            scratch,
            plugins: [alpha()],
            settings: { alpha: { word } },
          });
          expect((await kernel.request('GET', '/greetings/you')).body).to.deep.equal({ text: `${word} you` });
          await kernel.stop();
        }
      } finally {
        await scratch.remove();
      }
    });
  });

  it('goes on serving for the drain delay once it says that it is not ready, and only then stops', async () => {
    const settings = { server: { drain_delay_ms: 2_000 } };
    const kernel = await startTestKernel({ engine: 'sqlite', plugins: [alpha()], settings });
    const began = performance.now();
    const stopped = kernel.stop();
    const ready = await kernel.request('GET', `${kernel.rootUrl}/readyz`);
    const late = await kernel.request('GET', '/greetings/you');
    await stopped;
    expect([ready.status, ready.body.code]).to.deep.equal([503, 'not_ready']);
    expect([late.status, late.headers['connection']]).to.deep.equal([200, 'close']);
    expect(performance.now() - began).to.be.at.least(1_990);
    const gone = await kernel.request('GET', '/greetings/you').catch((error: unknown) => error);
    expect(gone).to.be.instanceOf(Error);
  });

  it('lets listeners end before what they use is stopped', async () => {
    const diary: string[] = [];
    const listener = definePlugin({
      id: 'gamma',
      version: '1.0.0',
      api: '^1.0',
      summary: 'Takes its time',
      requires: ['alpha'],
      events: {
        listens: [
          listen(greeted, {
            deps: {},
            handle: async ({ name }) => {
              await new Promise((resolve) => setTimeout(resolve, 200));
              diary.push(`gamma heard ${name}`);
            },
          }),
        ],
      },
      stop: step({}, () => void diary.push('gamma stops')),
    });
    const kernel = await startTestKernel({ engine: 'sqlite', plugins: [alpha(diary), listener] });
    await kernel.request('GET', '/greetings/you');
    await kernel.stop();
    expect(diary.slice(1)).to.deep.equal(['gamma heard you', 'gamma stops', 'alpha stops']);
  });

  it('stops all the same when a listener hangs, and names its plugin', async () => {
    const diary: string[] = [];
    const lines: { msg: string; err?: { message: string }; clean?: boolean }[] = [];
    const hung = definePlugin({
      id: 'hung',
      version: '1.0.0',
      api: '^1.0',
      summary: 'Never done',
      requires: ['alpha'],
      events: { listens: [listen(greeted, { deps: {}, handle: () => new Promise<never>(() => {}) })] },
    });
    const kernel = await startTestKernel({
      engine: 'sqlite',
      plugins: [alpha(diary), hung],
      deadlines: { stopMs: 500 },
      log: { write: (line) => void lines.push(JSON.parse(line)) },
    });
    expect((await kernel.request('GET', '/greetings/you')).status).to.equal(200);
    await kernel.stop();
    expect(diary.at(-1)).to.equal('alpha stops');
    expect(lines.map(({ err }) => err?.message)).to.include('Listeners of hung did not end within 0.5 s.');
    expect(lines.at(-1)).to.include({ msg: 'stopped', clean: false });
  });

  onEveryEngine((engine) => {
    it('stops even when a database connection is not released', async () => {
      const lines: { msg: string; clean?: boolean }[] = [];
      let release = (): void => undefined;
      let held: Promise<void> | undefined;
      const holding = definePlugin({
        id: 'holding',
        version: '1.0.0',
        api: '^1.0',
        summary: 'Holds a transaction',
        start: step({ database: DATABASE }, ({ database }) => {
          held = database.transaction(async (trx) => {
            await trx.raw('SELECT 1');
            await new Promise<void>((resolve) => (release = resolve));
          });
        }),
      });
      const kernel = await startTestKernel({
        engine,
        plugins: [holding],
        log: { write: (line) => void lines.push(JSON.parse(line)) },
      });
      await kernel.stop();
      release();
      await held?.catch(() => undefined);
      expect(lines.filter(({ msg }) => msg === 'stopped')).to.have.length(1);
      expect(lines.find(({ msg }) => msg === 'stopped')?.clean).to.equal(false);
    });
  });

  it('stops those that run when one cannot start, and names it', async () => {
    const diary: string[] = [];
    const gamma = definePlugin({
      id: 'gamma',
      version: '1.0.0',
      api: '^1.0',
      summary: 'Fails',
      requires: ['alpha'],
      start: step({}, () => {
        throw new Error('out of tea');
      }),
    });
    const error = await startTestKernel({ engine: 'sqlite', plugins: [alpha(diary), gamma] }).catch(
      (e: Error) => e,
    );
    expect(error).to.be.instanceOf(Error);
    expect((error as Error).message).to.equal('The plugin "gamma" could not start: out of tea');
    expect(diary).to.deep.equal(['alpha starts: Hello x', 'alpha stops']);
  });

  it('stops with the file and the fault when the database is damaged, and not with a sentence for clients', async () => {
    const scratch = await makeScratch('sqlite');
    const kernel = await startTestKernel({ engine: 'sqlite', plugins: [alpha()], scratch });
    await kernel.stop();
    const file = scratch.databaseUrl.slice('sqlite:'.length);
    overwriteAfterFirstPage(file);
    const error = await failure(startTestKernel({ engine: 'sqlite', plugins: [alpha()], scratch }));
    await scratch.remove();
    expect(error.name).to.equal('StartupError');
    expect(error.message)
      .to.contain(file)
      .and.to.contain('The database is damaged.')
      .and.to.contain('malformed');
  });

  it('gives up on a plugin that takes too long to start', async () => {
    const slow = definePlugin({
      id: 'slow',
      version: '1.0.0',
      api: '^1.0',
      summary: 'Never ready',
      start: step({}, () => new Promise<void>(() => {})),
    });
    const deadlines = { startMs: 200 };
    const error = await failure(startTestKernel({ engine: 'sqlite', plugins: [slow], deadlines }));
    expect(error.message).to.include('"slow" could not start').and.include('within 0.2 s');
  });

  it('refuses two owners of one method and path', async () => {
    const twin = {
      ...alpha(),
      id: 'twin',
      config: undefined,
      services: [],
      opens: [],
      events: {},
      migrations: [],
    };
    const { config: _, ...plugin } = {
      ...twin,
      requires: ['alpha'],
      start: step({}, () => {}),
      stop: step({}, () => {}),
    };
    const error = await startTestKernel({ engine: 'sqlite', plugins: [alpha(), plugin] }).catch(
      (e: Error) => e,
    );
    expect((error as Error).message)
      .to.include('/greetings/{name}')
      .and.include('alpha')
      .and.include('twin');
  });

  for (const [what, entry, sentence] of [
    [
      'nowhere',
      { before: 'route', middleware: () => undefined },
      'The entry has before: "route"; it must be "admission" or "routing".',
    ],
    [
      'without a function',
      { before: 'routing' },
      '"middleware" of the entry must be a function, but is undefined.',
    ],
    ['alone', () => undefined, '"middleware" of the entry must be a function, but is undefined.'],
  ] as const) {
    it(`refuses a Koa middleware that stands ${what}`, async () => {
      const plugin = definePlugin({
        id: 'middle',
        version: '1.0.0',
        api: '^1.0',
        summary: 'Stands between',
        contributes: [contribute(HTTP_MIDDLEWARES, { deps: {}, create: () => entry as never })],
      });
      const error = await failure(startTestKernel({ engine: 'sqlite', plugins: [plugin] }));
      expect(error.message).to.contain(
        `Plugin "middle" could not make its contribution to "core:http-middlewares": ${sentence}`,
      );
    });
  }

  it('refuses two schemas of one name', async () => {
    const route = routesWith({});
    const answering = (path: string, text: Type.TSchema) =>
      route({
        method: 'GET',
        path,
        operationId: path.slice(1),
        summary: 'Answers',
        access: 'public',
        answers: named('Answer', Type.Object({ text })),
        handle: () => ({ text: '' }),
      });
    const routes = [answering('/one', Type.String()), answering('/other', Type.Null())];
    const plugin = definePlugin({ id: 'twice', version: '1.0.0', api: '^1.0', summary: 'Answers', routes });
    const error = await failure(startTestKernel({ engine: 'sqlite', plugins: [plugin] }));
    expect(error.message).to.equal(
      'Two different schemas are named "Answer", one in one of plugin "twice" and one in other of plugin "twice". Give one of them another name.',
    );
  });

  it('refuses a route without an access rule', async () => {
    const [route] = alpha().routes!;
    const plugin = { ...alpha(), routes: [{ ...route!, access: undefined as never }] };
    const error = await startTestKernel({ engine: 'sqlite', plugins: [plugin] }).catch((e: Error) => e);
    expect((error as Error).message).to.include('GET /greetings/{name} has no access rule');
  });

  it('serves paths under further names when the operator says so', async () => {
    const settings = { server: { path_aliases: ['hello=greetings'] } };
    const kernel = await startTestKernel({ engine: 'sqlite', plugins: [alpha()], settings });
    expect((await kernel.request('GET', '/hello/you')).body).to.deep.equal({ text: 'Hello you' });
    expect((await kernel.request('GET', '/greetings/you')).status).to.equal(200);
    await kernel.stop();
  });

  it('refuses an alias of paths that no plugin serves, with the other faults of the settings', async () => {
    const overrides = { server: { path_aliases: ['hello=nobody'] } };
    const error = await makePlan({ env: {}, cwd: '.', definitions: [alpha()], overrides }).catch(
      (e: Error) => e,
    );
    expect((error as Error).message)
      .to.include('"hello=nobody"')
      .and.include('SERVER_PATH_ALIASES');
  });

  it('marks the log lines of a plugin with its id, and times each start', async () => {
    const lines: { plugin?: string; msg: string; ms?: number; phase?: string }[] = [];
    const log = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const kernel = await startTestKernel({ engine: 'sqlite', plugins: [alpha(), beta()], log });
    await kernel.stop();
    expect(lines.find(({ msg }) => msg === 'beta says')).to.include({ plugin: 'beta' });
    const started = lines.filter(({ phase, ms }) => phase === 'start' && typeof ms === 'number');
    expect(started.map(({ plugin }) => plugin)).to.deep.equal(['alpha', 'beta']);
  });

  it('runs the health checks of every plugin', async () => {
    const kernel = await startTestKernel({ engine: 'sqlite', plugins: [alpha(), beta()] });
    const { body } = await kernel.request('GET', `${kernel.rootUrl}/readyz?verbose`);
    expect(JSON.stringify(body)).to.include('beta:mood');
    await kernel.stop();
  });
});
