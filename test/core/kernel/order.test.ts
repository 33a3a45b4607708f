import { expect } from 'chai';
import { definePlugin, type PluginDefinition } from '../../../core/index.ts';
import { inBootOrder } from '../../../core/kernel/order.ts';
import type { LoadedPlugin } from '../../../core/kernel/found-plugin.ts';

function plugin(id: string, more: Partial<PluginDefinition> = {}): LoadedPlugin {
  const definition = definePlugin({ id, version: '1.0.0', api: '^1.0', summary: id, ...more });
  return { definition, found: { id, origin: 'built-in', enabled: true, folder: '', entry: '' } };
}

const idsOf = (plugins: readonly LoadedPlugin[]) => plugins.map(({ definition }) => definition.id);

describe('boot order', () => {
  it('puts each plugin after those it requires or may use', () => {
    const order = inBootOrder(
      [plugin('a', { requires: ['c'] }), plugin('b', { optional: ['a'] }), plugin('c')],
      [],
    );
    expect(idsOf(order)).to.deep.equal(['c', 'a', 'b']);
  });

  it('does not depend on the order in which plugins were found', () => {
    const some = [plugin('a', { requires: ['d'] }), plugin('b'), plugin('c'), plugin('d')];
    expect(idsOf(inBootOrder([...some].reverse(), []))).to.deep.equal(idsOf(inBootOrder(some, [])));
  });

  it('leaves an absent optional plugin out', () => {
    expect(idsOf(inBootOrder([plugin('a', { optional: ['gone'] })], []))).to.deep.equal(['a']);
  });

  it('prints the whole chain when a required plugin is switched off', () => {
    const plugins = [
      plugin('history', { requires: ['calls'] }),
      plugin('calls', { requires: ['catalogue'] }),
    ];
    expect(() => inBootOrder(plugins, ['catalogue'])).to.throw(
      'The plugin "calls" requires "catalogue", which is switched off (history → calls → catalogue).',
    );
  });

  it('says when a required plugin is not installed at all', () => {
    expect(() => inBootOrder([plugin('a', { requires: ['b'] })], [])).to.throw('which is not installed');
  });

  it('shows the circle when plugins need each other', () => {
    const plugins = [plugin('a', { requires: ['b'] }), plugin('b', { optional: ['a'] })];
    expect(() => inBootOrder(plugins, [])).to.throw('a → b → a');
  });
});
