import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DATABASE } from '../../../core/index.ts';
import { discover as discovery } from '../../../core/kernel/discovery.ts';
import { load } from '../../../core/kernel/loading.ts';

const nothing = { disabled: [], enabled: [], may_fail: [], packages: [], path: '' };

function discover(...asked: Parameters<typeof discovery>) {
  const { found, faults } = discovery(...asked);
  expect(faults).to.deep.equal([]);
  return found;
}

function plugin(id: string, more = ''): string {
  return `import { DATABASE, definePlugin, step } from 'vitrine';
    ${more}
    export default definePlugin({ id: '${id}', version: '1.0.0', api: '^1.0', summary: 'x',
      start: step({ database: DATABASE }, () => {}) });`;
}

describe('discovery', () => {
  let folder: string;
  const write = (path: string, text: string): void => {
    const file = join(folder, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  };
  const manifest = (more: object): string => JSON.stringify({ type: 'module', ...more });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-discovery-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has every built-in plugin switched on unless it is named as disabled', () => {
    const found = discover({ ...nothing, disabled: ['users'] }, folder);
    expect(found.find(({ id }) => id === 'users')).to.include({ origin: 'built-in', enabled: false });
    expect(found.filter(({ enabled }) => !enabled)).to.have.length(1);
  });

  it('finds folders, and switches on only those that are named', () => {
    write('plugins/one/package.json', manifest({ vitrine: { plugin: './main.js' } }));
    write('plugins/one/main.js', plugin('one'));
    write('plugins/two/plugin.js', 'throw new Error("must not be loaded")');
    const found = discover({ ...nothing, path: 'plugins', enabled: ['one'] }, folder);
    const states = found.filter(({ origin }) => origin === 'folder').map(({ id, enabled }) => [id, enabled]);
    expect(states).to.deep.equal([
      ['one', true],
      ['two', false],
    ]);
  });

  it('ignores folders without a plugin unless they are switched on', () => {
    write('plugins/lost+found/readme.txt', '');
    write('plugins/notes.txt', '');
    symlinkSync(join(folder, 'gone'), join(folder, 'plugins/broken'));
    const found = discover({ ...nothing, path: 'plugins' }, folder);
    expect(found.filter(({ origin }) => origin === 'folder')).to.deep.equal([]);
  });

  it('passes over a manifest that cannot be read, unless the plugin is switched on', () => {
    write('plugins/half/package.json', '{');
    write('plugins/half/plugin.js', plugin('half'));
    write('plugins/odd/package.json', manifest({ vitrine: { plugin: 5 } }));
    write('plugins/odd/plugin.js', plugin('odd'));
    write('plugins/empty/package.json', '');
    const settings = { ...nothing, path: 'plugins' };
    const off = discover(settings, folder).filter(({ origin }) => origin === 'folder');
    expect(off.map(({ id, enabled }) => [id, enabled])).to.deep.equal([
      ['half', false],
      ['odd', false],
    ]);
    discover({ ...settings, enabled: ['half'], disabled: ['half'] }, folder);
    const { faults } = discovery({ ...settings, enabled: ['half', 'empty'] }, folder);
    const broken = faults.filter(({ message }) => message.includes('package.json is not JSON'));
    expect(broken.map((fault) => fault.plugin)).to.deep.equal(['empty', 'half']);
  });

  it('finds a folder through a link', () => {
    write('elsewhere/plugin.js', plugin('one'));
    mkdirSync(join(folder, 'plugins'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'plugins/one'));
    const found = discover({ ...nothing, path: 'plugins', enabled: ['one'] }, folder);
    expect(
      found.filter(({ origin }) => origin === 'folder').map(({ id, enabled }) => [id, enabled]),
    ).to.deep.equal([['one', true]]);
  });

  it('names the line that throws while a plugin is loaded', async () => {
    write('plugins/one/package.json', manifest({}));
    write('plugins/one/plugin.js', `\n\nthrow new Error('no oil');`);
    write('plugins/two/package.json', manifest({}));
    write('plugins/two/plugin.js', `\nexport default = {};`);
    const found = discover({ ...nothing, path: 'plugins', enabled: ['one', 'two'] }, folder);
    const { faults } = await load(found.filter(({ origin }) => origin === 'folder'));
    expect(faults[0]!.message).to.match(/no oil \(thrown at .*plugins\/one\/plugin\.js:3:7\)$/);
    expect(faults[1]!.message).to.match(/Unexpected token '=' *\. Run "node --check"/);
  });

  it('never loads the code of a plugin that is switched off', async () => {
    write('plugins/two/plugin.js', 'throw new Error("must not be loaded")');
    const found = discover({ ...nothing, path: 'plugins' }, folder).filter(
      ({ origin }) => origin === 'folder',
    );
    expect(await load(found)).to.deep.equal({ loaded: [], faults: [] });
  });

  it('lets a plugin from anywhere import the kernel and contracts by name', async () => {
    write('plugins/one/package.json', manifest({}));
    write('plugins/one/plugin.js', plugin('one', "import 'vitrine/contracts/users';"));
    const found = discover({ ...nothing, path: 'plugins', enabled: ['one'] }, folder);
    const { loaded } = await load(found.filter(({ id }) => id === 'one'));
    expect(loaded[0]!.definition.start!.deps['database']).to.deep.equal(DATABASE);
  });

  it('takes the id of a package from its name, or from its manifest', () => {
    write('node_modules/@acme/vitrine-plugin-one/package.json', manifest({ vitrine: { plugin: './p.js' } }));
    write('node_modules/@acme/vitrine-plugin-one/p.js', '');
    write('node_modules/other/package.json', manifest({ vitrine: { plugin: './p.js', id: 'two' } }));
    write('node_modules/other/p.js', '');
    const found = discover({ ...nothing, packages: ['@acme/vitrine-plugin-one', 'other'] }, folder);
    expect(found.filter(({ origin }) => origin === 'package').map(({ id }) => id)).to.deep.equal([
      'one',
      'two',
    ]);
  });

  const refusals: readonly (readonly [string, object, string])[] = [
    ['a package that is not installed', { packages: ['nowhere'] }, 'npm install nowhere'],
    [
      'a package that is no plugin',
      { packages: ['plain'] },
      '"plain", named in plugins.packages, is not a plugin',
    ],
    [
      'a directory that is not there',
      { path: 'gone' },
      'named by plugins.path (PLUGINS_PATH), does not exist',
    ],
    [
      'a folder without a plugin that is switched on',
      { path: 'empty', enabled: ['hollow'] },
      'The plugin "hollow" has no plugin.js',
    ],
    [
      'a disabled id that nobody has',
      { disabled: ['user'] },
      'plugins.disabled (PLUGINS_DISABLED) names "user"',
    ],
    [
      'an enabled id where no folder is named',
      { enabled: ['one'] },
      'plugins.enabled (PLUGINS_ENABLED) names "one", which is not a plugin here. Name the folder around its own in plugins.path (PLUGINS_PATH), or its package in plugins.packages',
    ],
    [
      'an enabled id that no folder has',
      { path: 'empty', enabled: ['one'] },
      'empty, which plugins.path (PLUGINS_PATH) names, has no folder "one"',
    ],
    [
      'the folder of a plugin instead of the one around it',
      { path: 'empty/hollow', enabled: ['hollow'] },
      'plugins.path (PLUGINS_PATH) names its own folder. Name the one around it: ',
    ],
    ['a file instead of a folder', { path: 'empty/hollow/readme.txt' }, 'is no directory'],
    ['an id that two plugins have', { path: 'clash' }, 'Two plugins have the id "users"'],
  ];
  for (const [title, selection, sentence] of refusals) {
    it(`refuses ${title}`, () => {
      write('node_modules/plain/package.json', manifest({}));
      write('empty/hollow/readme.txt', '');
      write('clash/users/plugin.js', '');
      const { faults } = discovery({ ...nothing, ...selection }, folder);
      expect(faults.map(({ message }) => message).join('\n')).to.include(sentence);
    });
  }

  it('finds everything that is amiss at once, and the plugins that are there all the same', () => {
    write('plugins/hollow/readme.txt', '');
    write('plugins/odd/package.json', 'no JSON');
    write('plugins/odd/plugin.js', '');
    write('plugins/one/plugin.js', plugin('one'));
    const { found, faults } = discovery(
      {
        disabled: ['user'],
        enabled: ['hollow', 'odd', 'one'],
        may_fail: ['lllm'],
        packages: ['nowhere', 'neither'],
        path: 'plugins',
      },
      folder,
    );
    expect(faults.map(({ plugin: id }) => id)).to.have.members([
      ...Array(4).fill(undefined),
      'hollow',
      'odd',
    ]);
    const description = faults.map((fault) => fault.message).join('\n');
    for (const part of ['nowhere', 'neither', 'did you mean "users"?', 'did you mean "llm"?'])
      expect(description).to.include(part);
    expect(found.map(({ id }) => id)).to.include.members(['users', 'one']);
  });

  it('tells a CommonJS module to become an ES module when it cannot be loaded', async () => {
    write('plugins/old/package.json', manifest({ type: 'commonjs' }));
    write(
      'plugins/old/plugin.js',
      `const { definePlugin } = require('./gone'); module.exports = definePlugin({});`,
    );
    const found = discover({ ...nothing, path: 'plugins', enabled: ['old'] }, folder);
    const { faults } = await load(found.filter(({ id }) => id === 'old'));
    expect(faults[0]!.message).to.include(
      'It is written in CommonJS, and plugins are ES modules: put "type": "module" into its package.json, and write import and export.',
    );
  });

  it('names the plugin whose code cannot be loaded, or has another id', async () => {
    write('plugins/bad/package.json', manifest({}));
    write('plugins/bad/plugin.js', 'syntax error');
    write('plugins/named/package.json', manifest({}));
    write('plugins/named/plugin.js', plugin('otherwise'));
    const found = discover({ ...nothing, path: 'plugins', enabled: ['bad', 'named'] }, folder);
    const errorOf = async (wanted: string): Promise<string> =>
      (await load(found.filter(({ id }) => id === wanted))).faults.map(({ message }) => message).join();
    expect(await errorOf('bad')).to.include('The plugin "bad" cannot be loaded');
    expect(await errorOf('named')).to.include('is named "otherwise" but was found as "named"');
  });
});
