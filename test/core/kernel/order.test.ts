import { expect } from 'chai';
import { definePlugin } from '../../../core/index.ts';
import type { PluginDefinition } from '../../../core/kernel/plugin.ts';
import { inBootOrder } from '../../../core/kernel/order.ts';
import type { LoadedPlugin } from '../../../core/kernel/found-plugin.ts';

function plugin(id: string, more: Partial<PluginDefinition> = {}): LoadedPlugin {
  const definition = definePlugin({ id, version: '1.0.0', api: '^1.0', summary: id, ...more });
  return { definition, found: { id, origin: 'built-in', enabled: true, folder: '', entry: '' } };
}

const idsOf = (plugins: readonly LoadedPlugin[]) => plugins.map(({ definition }) => definition.id);

describe('boot order', () => {
  it('puts each plugin after those it requires or may use', () => {
    const order = inBootOrder([
      plugin('a', { requires: ['c'] }),
      plugin('b', { optional: ['a'] }),
      plugin('c'),
    ]);
    expect(idsOf(order)).to.deep.equal(['c', 'a', 'b']);
  });

  it('does not depend on the order in which plugins were found', () => {
    const some = [plugin('a', { requires: ['d'] }), plugin('b'), plugin('c'), plugin('d')];
    expect(idsOf(inBootOrder([...some].reverse()))).to.deep.equal(idsOf(inBootOrder(some)));
  });

  it('leaves an absent optional plugin out', () => {
    expect(idsOf(inBootOrder([plugin('a', { optional: ['gone'] })]))).to.deep.equal(['a']);
  });

  it('shows the circle when plugins need each other', () => {
    const plugins = [plugin('a', { requires: ['b'] }), plugin('b', { optional: ['a'] })];
    expect(() => inBootOrder(plugins)).to.throw('a → b → a');
  });
});
