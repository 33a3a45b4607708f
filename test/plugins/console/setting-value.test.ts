import { expect } from 'chai';
import { loadConsoleModules } from '../../support/console-modules.ts';

describe('the value of a setting in the console', () => {
  let showSetting: (value: unknown) => string;
  before(async () => {
    const modules = await loadConsoleModules('administration/installation/setting-value.ts');
    await modules.loadAdministrationTexts();
    ({ showSetting } = modules);
  });

  for (const [value, shown] of [
    ['info', 'info'],
    [0, '0'],
    [false, 'false'],
    [null, 'not set'],
    ['', 'not set'],
    [[], 'not set'],
    [['audit', 'llm'], 'audit, llm'],
    [[{ id: 'acme' }, { id: 'example' }], '{"id":"acme"}, {"id":"example"}'],
  ] as const) {
    it(`is shown as ${shown} where it is ${JSON.stringify(value)}`, () => {
      expect(showSetting(value)).to.equal(shown);
    });
  }
});
