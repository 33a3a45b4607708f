import { expect } from 'chai';
import { neededBy } from '../../core/testing/plugin-check/needed-plugins.ts';
import { builtInPlugins, onEveryEngine, pluginFaults } from '../../core/testing.ts';

const builtIn = await builtInPlugins();

describe('the conformance kit for plugins finds no fault in', () => {
  onEveryEngine((engine) => {
    for (const plugin of builtIn) {
      it(`the plugin ${plugin.id}`, async function () {
        this.timeout(60_000);
        // Every suite of this folder boots all of them together.
        const { needed: installed } = neededBy(plugin, builtIn);
        expect(await pluginFaults({ plugin, engine, installed })).to.deep.equal([]);
      });
    }
  });
});
