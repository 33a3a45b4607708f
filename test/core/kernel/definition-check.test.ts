import { expect } from 'chai';
import Type from 'typebox';
import {
  command,
  defineEvent,
  definePlugin,
  defineSettings,
  extensionPoint,
  InternalError,
  problem,
  setting,
  type MetricDeclaration,
  type PluginDefinition,
} from '../../../core/index.ts';
import { definitionFaults } from '../../../core/kernel/definition-check.ts';

function faultsOf(...definitions: Partial<PluginDefinition>[]): readonly string[] {
  return definitionFaults(
    definitions.map((parts) => {
      const definition = definePlugin({ id: 'sample', version: '1.0.0', api: '^1.0', summary: '', ...parts });
      return {
        definition,
        found: { id: definition.id, origin: 'built-in', enabled: true, folder: '', entry: '' },
      };
    }),
  );
}

const oops = problem({ code: 'oops', status: 409, title: 'Oops', says: 'It happens.' });
const greet = command({
  name: 'greet',
  summary: '',
  options: [],
  deps: {},
  run: async () => ({ says: '', data: {} }),
});
const greetings: MetricDeclaration = { kind: 'counter', name: 'greetings_total', help: 'Greetings.' };
const migration = (name: string) => ({ name, up: async () => {} });

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
      [{ config: defineSettings('other', { on: setting(Type.Boolean(), { default: true, says: '' }) }) }],
      'its settings have the section "other"; it must be "sample"',
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
      'a metric declared twice',
      [
        { id: 'a', metrics: [greetings] },
        { id: 'b', metrics: [greetings] },
      ],
      'Plugin "b" declares the metric "greetings_total", which "a" declares',
    ],
    ['an id that two have', [{ id: 'a' }, { id: 'a' }], 'declares the id "a", which "a" declares'],
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
      'a metric with a name of the process',
      [{ metrics: [{ ...greetings, name: 'process_cpu_seconds_total' }] }],
      'the metric "process_cpu_seconds_total" has a name that is kept',
    ],
  ];
  for (const [title, definitions, sentence] of cases) {
    it(`names ${title}`, () => {
      expect(faultsOf(...definitions).join('\n')).to.include(sentence);
    });
  }
});
