import { expect } from 'chai';
import type { PluginDefinition } from '../../core/kernel/plugin.ts';
import { packageRoot } from '../../core/support/package-root.ts';
import { builtInPlugins } from '../../core/testing.ts';
import { importsOf, modulesOf, parse, type SourceModule } from './source-scan.ts';

const CONTRACT = /^(?:[.][.]\/)+([a-z-]+)\/contract[.]ts$/;

type Declared = Pick<PluginDefinition, 'id' | 'requires' | 'optional'>;

/** Contracts that modules of a plugin import although the plugin does not name their owner. */
function undeclared(
  { id, requires = [], optional = [] }: Declared,
  modules: readonly SourceModule[],
): string[] {
  return modules
    .filter(({ path }) => path.startsWith(`plugins/${id}/`))
    .flatMap((module) => importsOf(module).map((specifier) => CONTRACT.exec(specifier)?.[1]))
    .filter((owner): owner is string => owner !== undefined && owner !== id)
    .filter((owner) => ![...requires, ...optional].includes(owner));
}

describe('contracts', () => {
  it('are imported by plugins that declare their owner in requires or optional', async () => {
    const plugins = await builtInPlugins();
    const modules = modulesOf(packageRoot, ['plugins']);
    expect(plugins.length).to.be.greaterThan(10);
    expect(
      Object.fromEntries(plugins.map((plugin) => [plugin.id, undeclared(plugin, modules)])),
    ).to.deep.equal(Object.fromEntries(plugins.map(({ id }) => [id, []])));
  });

  it('are found when their owner is not declared', () => {
    const planted = parse('plugins/alpha/service.ts', "import { X } from '../beta/contract.ts';");
    expect(undeclared({ id: 'alpha', requires: ['gamma'] }, [planted])).to.deep.equal(['beta']);
  });
});
