import { expect } from 'chai';
import Type from 'typebox';
import {
  command,
  contribute,
  defineEvent,
  definePlugin,
  defineSettings,
  extensionPoint,
  listen,
  problem,
  routesWith,
  setting,
  type MetricDeclaration,
} from '../../../core/index.ts';
import type { PluginDefinition } from '../../../core/kernel/plugin.ts';
import { InternalError } from '../../../core/errors/core-problems.ts';
import { definitionFaults } from '../../../core/kernel/definition-check.ts';

function faultsOf(...definitions: Partial<PluginDefinition>[]): readonly string[] {
  const faults = definitionFaults(
    definitions.map((parts) => {
      const definition = definePlugin({ id: 'sample', version: '1.0.0', api: '^1.0', summary: '', ...parts });
      return {
        definition,
        found: { id: definition.id, origin: 'folder', enabled: true, folder: '', entry: '' },
      };
    }),
  );
  return faults.map(({ message }) => message);
}

const oops = problem({ code: 'oops', status: 409, title: 'Oops', description: 'It happens.' });
const greet = command({
  name: 'greet',
  summary: '',
  options: [],
  deps: {},
  run: async () => ({ message: '', data: {} }),
});
const greetings: MetricDeclaration = { kind: 'counter', name: 'greetings_total', help: 'Greetings.' };
const seats = (env: string) => setting(Type.Integer(), { default: 1, env, description: 'Seats.' });
const reading = (section: string, env: string) => defineSettings(section, { seats: seats(env) });
const migration = (name: string) => ({ name, up: async () => {} });

const hello = routesWith({})({
  method: 'GET',
  path: '/hello',
  operationId: 'hello',
  summary: 'Says hello',
  access: 'public',
  answers: Type.Object({}),
  handle: () => ({}),
});

describe('definition check', () => {
  it('finds nothing wrong with a plain plugin', () => {
    expect(
      faultsOf({ problems: [oops], migrations: [migration('0001_a'), migration('0002_b')] }),
    ).to.deep.equal([]);
  });

  const cases: readonly (readonly [string, Partial<PluginDefinition>[], string])[] = [
    ['an id in upper case', [{ id: 'Sample' }], 'the id must be lower case'],
    ['the id of the kernel', [{ id: 'core' }], 'not "core"'],
    ['a version that is none', [{ version: 'one' }], 'the version "one" is not a semantic version'],
    ['a contract range that is none', [{ api: 'new' }], 'the contract range "new"'],
    ['another contract', [{ api: '^2.0' }], 'it was written for contract ^2.0, and this is 1.'],
    [
      'settings under another name',
      [
        {
          config: defineSettings('other', {
            on: setting(Type.Boolean(), { default: true, description: '' }),
          }),
        },
      ],
      'its settings have the section "other"; it must be "sample"',
    ],
    [
      'a default that its own setting does not admit',
      [
        {
          config: defineSettings('sample', {
            seats: setting(Type.Integer({ minimum: 1 }), { default: 0, description: '' }),
          }),
        },
      ],
      'the default of its setting "sample.seats" is 0; expected a whole number of at least 1',
    ],
    [
      'a member that no plugin has',
      [{ route: [] } as object],
      'a member "route", which no plugin has; did you mean "routes"?',
    ],
    ['a text where a list belongs', [{ requires: 'users' as never }], 'its requires must be a list'],
    ['no version', [{ version: undefined as never }], 'the version "undefined" is not a semantic version'],
    ['a start that no step makes', [{ start: (() => {}) as never }], 'its start must be made with step'],
    ['a migration without a name', [{ migrations: [{ up: async () => {} } as never] }], 'needs a name'],
    [
      'a route without a handler',
      [{ routes: [{ ...hello, handle: undefined as never }] }],
      'function "handle"',
    ],
    ['a route that answers nothing', [{ routes: [{ ...hello, answers: undefined as never }] }], 'as answers'],
    ['a route without a name', [{ routes: [{ ...hello, operationId: '' }] }], 'an operationId'],
    [
      'a path without a slash',
      [{ routes: [{ ...hello, path: 'x' as never }] }],
      'GET x cannot be served: the path must begin',
    ],
    ['an unknown method', [{ routes: [{ ...hello, method: 'FETCH' as never }] }], 'must be one of GET, POST'],
    [
      'a service that is not there',
      [{ services: [undefined as never] }],
      'entry 1 of its services is undefined',
    ],
    [
      'a service without a token',
      [{ services: [{ deps: {}, create: () => 1 } as never] }],
      'entry 1 of its services is { deps, create }; make it with service({ token, deps, create }).',
    ],
    [
      'a route that is not there',
      [{ routes: [hello, undefined as never] }],
      'entry 2 of its routes is undefined',
    ],
    [
      'a contribution to a point that is not there',
      [{ contributes: [contribute(undefined as never, { deps: {}, create: () => 1 })] }],
      'entry 1 of its contributes is { to, deps, create, order }; make it with contribute(POINT, { deps, create })',
    ],
    [
      'a listener to an event that is not there',
      [{ events: { listens: [listen(undefined as never, { deps: {}, handle: () => {} })] } }],
      'entry 1 of its events.listens is { event, deps, handle }; make it with listen(event, { deps, handle })',
    ],
    [
      'an event that is not there',
      [{ events: { emits: [undefined as never] } }],
      'entry 1 of its events.emits',
    ],
    [
      'a text as an extension point',
      [{ opens: ['sample:list' as never] }],
      'entry 1 of its opens is "sample:list"',
    ],
    [
      'a requirement that is no id',
      [{ requires: [{} as never] }],
      'its requires and optional are ids of plugins, and not {}',
    ],
    ['a job that is not there', [{ jobs: [undefined as never] }], 'make it with job({'],
    ['a health check that is not there', [{ health: [undefined as never] }], 'make it with healthCheck({'],
    ['a doctor check without deps', [{ doctor: [{ name: 'x', check: () => [] } as never] }], 'doctorCheck({'],
    ['a command without options', [{ commands: [{ ...greet, options: undefined as never }] }], 'command({'],
    ['a problem that is not there', [{ problems: [undefined as never] }], 'make it with problem({'],
    [
      'a metric of an unknown kind',
      [{ metrics: [{ ...greetings, kind: 'count' as never }] }],
      'make it with { kind, name, help }, whose kind is "counter", "gauge" or "histogram"',
    ],
    ['settings that are a plain object', [{ config: { seats: 1 } as never }], 'its config must be made with'],
    [
      'a setting without a schema',
      [
        {
          config: defineSettings('sample', {
            seats: setting('text' as never, { default: 1 as never, description: '' }),
          }),
        },
      ],
      'its setting "seats" must be made with setting(Type.…, { … })',
    ],
    [
      'files of pages as a text',
      [{ webFiles: './pages/' as never }],
      "its webFiles must be a URL: new URL('./pages/', import.meta.url)",
    ],
    [
      'a foreign extension point',
      [{ opens: [extensionPoint('other:list')] }],
      '"other:list" must begin with "sample:"',
    ],
    [
      'a foreign event',
      [{ events: { emits: [defineEvent('other:happened', Type.Object({}), '')] } }],
      '"other:happened" must begin with "sample:"',
    ],
    [
      'migrations out of order',
      [{ migrations: [migration('0002_b'), migration('0001_a')] }],
      'not in the order',
    ],
    ['migrations of one name', [{ migrations: [migration('0001_a'), migration('0001_a')] }], 'the same name'],
    [
      'a problem declared twice',
      [
        { id: 'a', problems: [oops] },
        { id: 'b', problems: [oops] },
      ],
      'which "a" declares',
    ],
    [
      'a command declared twice',
      [
        { id: 'a', commands: [greet] },
        { id: 'b', commands: [greet] },
      ],
      'which "a" declares',
    ],
    [
      'a group of commands of two plugins',
      [
        { id: 'a', commands: [{ ...greet, name: 'people list' }] },
        { id: 'b', commands: [{ ...greet, name: 'people greet' }] },
      ],
      'Plugin "b" declares the command "people", which "a" declares',
    ],
    [
      'a command in a group of the kernel',
      [{ id: 'a', commands: [{ ...greet, name: 'jobs greet' }] }],
      'Plugin "a" declares the command "jobs", which the kernel has',
    ],
    [
      'a metric declared twice',
      [
        { id: 'a', metrics: [greetings] },
        { id: 'b', metrics: [greetings] },
      ],
      'Plugin "b" declares the metric "greetings_total", which "a" declares',
    ],
    [
      'an environment variable of two settings',
      [
        { id: 'a', config: reading('a', 'SEATS') },
        { id: 'b', config: reading('b', 'SEATS') },
      ],
      'Plugin "b" declares the environment variable "SEATS", which "a" declares',
    ],
    [
      'an environment variable of two settings of one plugin',
      [{ id: 'a', config: defineSettings('a', { seats: seats('SEATS'), places: seats('SEATS') }) }],
      'Plugin "a" declares the environment variable "SEATS" twice. Rename one of the two.',
    ],
    [
      'an environment variable that the kernel reads a secret from',
      [{ id: 'a', config: reading('a', 'JWT_SECRET_FILE') }],
      'Plugin "a" declares the environment variable "JWT_SECRET_FILE", which the kernel has',
    ],
    ['an id that two have', [{ id: 'a' }, { id: 'a' }], 'declares the id "a" twice'],
    ['an id that is a section of the kernel', [{ id: 'log' }], 'declares the id "log", which the kernel has'],
    ['a problem of the kernel', [{ problems: [InternalError] }], '"internal_error", which the kernel has'],
    [
      'a command of the kernel',
      [{ commands: [{ ...greet, name: 'config' }] }],
      '"config", which the kernel has',
    ],
    [
      'a metric of the kernel',
      [{ metrics: [{ ...greetings, name: 'event_listener_failures_total' }] }],
      '"event_listener_failures_total", which the kernel has',
    ],
    [
      'a metric that Prometheus could not read',
      [{ metrics: [{ ...greetings, name: 'greetings-total' }] }],
      'the metric "greetings-total" cannot be declared: Invalid metric name',
    ],
    [
      'a metric with a name of the process',
      [{ metrics: [{ ...greetings, name: 'process_cpu_seconds_total' }] }],
      'the name of the metric "process_cpu_seconds_total" is reserved for process metrics',
    ],
  ];
  for (const [title, definitions, sentence] of cases) {
    it(`names ${title}`, () => {
      expect(faultsOf(...definitions).join('\n')).to.include(sentence);
    });
  }

  for (const path of ['/hello/:name', '/hello/', '/hello/{x', '/hello//x', '/hello?', '/{x}/{x}']) {
    it(`names the path ${path}, which cannot be routed`, () => {
      expect(faultsOf({ routes: [{ ...hello, path }] }).join('\n')).to.include(
        `GET ${path} cannot be served: write its path as names and parameters, each once: /greetings/{name}`,
      );
    });
  }
});
