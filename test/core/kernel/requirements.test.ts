import { expect } from 'chai';
import { definePlugin } from '../../../core/index.ts';
import type { PluginDefinition } from '../../../core/kernel/plugin.ts';
import type { LoadedPlugin } from '../../../core/kernel/found-plugin.ts';
import { withRequirements, type Absent } from '../../../core/kernel/requirements.ts';

function plugin(id: string, more: Partial<PluginDefinition> = {}): LoadedPlugin {
  const definition = definePlugin({ id, version: '1.0.0', api: '^1.0', summary: id, ...more });
  return { definition, found: { id, origin: 'built-in', enabled: true, folder: '', entry: '' } };
}

const history = plugin('history', { requires: ['calls'] });
const calls = plugin('calls', { requires: ['catalogue'] });

function judged(plugins: readonly LoadedPlugin[], absent: Partial<Absent> = {}) {
  const { kept, faults } = withRequirements(plugins, {
    switchedOff: [],
    mayFail: [],
    faulty: new Set(),
    ...absent,
  });
  return { kept: kept.map(({ definition }) => definition.id), faults };
}

describe('what plugins require', () => {
  it('is there', () => {
    const { kept, faults } = judged([history, calls, plugin('catalogue')]);
    expect([kept, faults]).to.deep.equal([['history', 'calls', 'catalogue'], []]);
  });

  it('is reported once with the whole chain when it is switched off', () => {
    const { kept, faults } = judged([history, calls, plugin('users')], { switchedOff: ['catalogue'] });
    expect(kept).to.deep.equal(['users']);
    expect(faults).to.have.length(1);
    expect(faults[0]).to.have.property('plugin', 'calls');
    expect(faults[0]!.message).to.include(
      'The plugin "calls" requires "catalogue", which is switched off (history → calls → catalogue).',
    );
    expect(faults[0]!.message).to.include('switch calls, history off as well');
  });

  it('is reported with its own remedy when it is not installed', () => {
    const { faults } = judged([plugin('a', { requires: ['b'] })]);
    expect(faults[0]!.message).to.include('which is not installed').and.to.include('Install "b"');
  });

  it('is not reported again when it is faulty, and its dependents are dropped', () => {
    const { kept, faults } = judged([history, calls], { faulty: new Set(['catalogue']) });
    expect([kept, faults]).to.deep.equal([[], []]);
  });

  it('is reported for dependents of a plugin without which the service may start', () => {
    const { faults } = judged([history, calls], {
      faulty: new Set(['catalogue']),
      mayFail: ['catalogue', 'calls'],
    });
    expect(faults.map(({ plugin: id }) => id)).to.deep.equal(['calls', 'history']);
    expect(faults[1]!.message).to.equal(
      'The plugin "history" requires "calls", which is left out. ' +
        'Correct "calls", or name "history" in plugins.may_fail (PLUGINS_MAY_FAIL) as well.',
    );
  });
});
