import { expect } from 'chai';
import { createServer } from 'node:http';
import { definePlugin, job, problem, routesWith, step, Type } from '../../../core/index.ts';
import { accessFaults, routesLeft } from '../../../core/testing/plugin-check/route-checks.ts';
import { builtInPlugins, onEveryEngine, pluginFaults, type TestKernel } from '../../../core/testing.ts';

const route = routesWith({});
const greet = route({
  method: 'GET',
  path: '/greetings/{name}',
  operationId: 'greet',
  summary: 'Greets a person',
  description: 'Anybody may.',
  parameters: { name: { description: 'The name of the person.' } },
  access: 'public',
  answers: Type.Object({ text: Type.String({ description: 'The greeting.', examples: ['Hello Ada'] }) }),
  handle: ({ path }) => ({ text: `Hello ${path.name}` }),
});
const sound = {
  id: 'greetings',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Says hello',
  routes: [greet],
} as const;

onEveryEngine((engine) => {
  describe('the conformance kit for plugins', function () {
    this.timeout(30_000);
    const faultsOf = async (
      more: Partial<Parameters<typeof definePlugin>[0]>,
      beside: readonly string[] = [],
    ) => {
      const plugin = definePlugin({ ...sound, ...more });
      return pluginFaults({ plugin, engine, installed: await builtInPlugins(beside) });
    };

    it('finds nothing in a plugin that keeps the rules', async () => {
      expect(await faultsOf({})).to.deep.equal([]);
    });

    it('names a required plugin that is not installed', async () => {
      expect(await faultsOf({ requires: ['catalogue'] })).to.deep.equal([
        'Plugin "greetings" requires "catalogue", which is not installed.',
      ]);
    });

    it('reports what the OpenAPI document lacks', async () => {
      const [fault] = await faultsOf({ routes: [{ ...greet, description: undefined } as never] });
      expect(fault).to.equal('Plugin "greetings": greet has no description.');
    });

    it('reports a table with the name of another plugin', async () => {
      const up = async (trx: {
        schema: { createTable: (name: string, fill: (table: any) => void) => unknown };
      }) => {
        await trx.schema.createTable('letters', (table) => table.text('id').primary());
      };
      const [fault] = await faultsOf({ migrations: [{ name: '0001_letters', up: up as never }] });
      expect(fault).to.include('"greetings"').and.to.include('letters').and.to.include('greetings_');
    });

    it('reports a route that fails', async () => {
      const broken = { ...greet, handle: () => Promise.reject(new Error('broken')) } as never;
      expect(await faultsOf({ routes: [broken] })).to.deep.equal([
        'Plugin "greetings": GET /greetings/{name} fails with 500 for a request without credentials.',
      ]);
    });

    it('reports a job that fails on an empty database', async () => {
      const tidy = job({
        name: 'tidy',
        summary: 'Tidies up',
        every: '1h',
        deps: {},
        run: () => Promise.reject(new Error('no such table')),
      });
      expect(await faultsOf({ jobs: [tidy] })).to.deep.equal([
        'Plugin "greetings": its job "tidy" fails on an empty database: no such table',
      ]);
    });

    it('reports a start that fails, with its reason', async () => {
      const [fault] = await faultsOf({
        start: step({}, () => {
          throw new Error('no greeting today');
        }),
      });
      expect(fault).to.match(
        /^Plugin "greetings" cannot be started with what it requires: .*no greeting today/s,
      );
    });

    it('reports what still runs after the stop', async () => {
      const ports: ReturnType<typeof createServer>[] = [];
      const faults = await faultsOf({
        start: step({}, () => {
          ports.push(createServer().listen(0));
        }),
      });
      for (const port of ports) port.close();
      expect(faults).to.deep.equal([
        'Plugin "greetings" leaves an open port after its stop, so that the process stays alive. End it in "stop".',
      ]);
    });

    it('reports a timer of the plugin, and none that the test itself starts meanwhile', async () => {
      const beside = setInterval(() => timers.push(setInterval(() => {}, 60_000)), 100);
      const timers = [beside];
      const own: NodeJS.Timeout[] = [];
      const faults = await faultsOf({});
      const more = await faultsOf({ start: step({}, () => void own.push(setInterval(() => {}, 60_000))) });
      for (const timer of [...timers, ...own]) clearInterval(timer);
      expect(timers.length).to.be.above(1);
      expect([faults, more]).to.deep.equal([
        [],
        [
          'Plugin "greetings" leaves a timer after its stop, so that the process stays alive. End it in "stop".',
        ],
      ]);
    });

    it('reports a name that an installed plugin has', async () => {
      const taken = problem({ code: 'username_taken', status: 409, title: 'Taken' } as never);
      const [fault] = await faultsOf({ problems: [taken] }, ['users']);
      expect(fault).to.match(/does not fit beside the installed plugins: .*username_taken/s);
    });
  });
});

describe('the conformance kit for plugins, asking routes', () => {
  const kernel = {
    baseUrl: '',
    rootUrl: '',
    request: async () => ({ status: 200, headers: {}, body: {} }),
  } as unknown as TestKernel;
  const plugin = definePlugin({ ...sound, routes: [{ ...greet, access: 'user' } as never] });

  it('reports a route that answers without the credentials that its rule demands', async () => {
    expect(await accessFaults(kernel, plugin)).to.deep.equal([
      'Plugin "greetings": GET /greetings/{name} answers 200 without credentials, but its access rule is "user".',
    ]);
  });

  it('reports a route that does not answer', async function () {
    this.timeout(20_000);
    const hanging = { ...kernel, request: () => new Promise(() => undefined) } as unknown as TestKernel;
    expect(await accessFaults(hanging, plugin)).to.deep.equal([
      'Plugin "greetings": GET /greetings/{name} does not answer within 5 s.',
    ]);
  });

  it('reports a route that is served although the plugin is switched off', async () => {
    expect(await routesLeft(kernel, plugin)).to.deep.equal([
      'Plugin "greetings": GET /greetings/{name} is still served while the plugin is switched off.',
    ]);
  });
});
