import { faultyInstallation } from '../../../core/errors/startup-error.ts';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { discover } from '../../../core/kernel/discovery.ts';
import { makePlan } from '../../../core/kernel/plan.ts';
import { approvalOf, integrityFaults } from '../../../core/kernel/plugin-integrity.ts';

const nothing = { disabled: [], enabled: [], may_fail: [], packages: [], path: '' };
const OTHER = `sha256-${'A'.repeat(43)}=`;

describe('the integrity of plugins from outside', () => {
  let folder: string;
  const at = (path: string): string => join(folder, path);
  const write = (path: string, text: string): void => {
    mkdirSync(at(join(path, '..')), { recursive: true });
    writeFileSync(at(path), text);
  };
  const found = (more: object = {}) =>
    discover({ ...nothing, path: 'plugins', enabled: ['one'], ...more }, folder).found;
  const approval = (id = 'one', more: object = {}): string =>
    approvalOf(found(more).find((plugin) => plugin.id === id)!);
  const check = (...integrity: string[]) => refuse(found(), integrity);
  /** Throws what the start would say. */
  const refuse = (...asked: Parameters<typeof integrityFaults>): void => {
    const faults = integrityFaults(...asked);
    if (faults.length > 0) throw faultyInstallation(faults);
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-integrity-'));
    write('plugins/one/package.json', '{ "type": "module" }');
    write('plugins/one/plugin.js', 'export default 1;');
    write('plugins/one/lib/a.js', 'export const a = 1;');
    write('plugins/one/lib/b.js', 'export const b = 2;');
    write('plugins/one/node_modules/dep/index.js', 'export const dep = 3;');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('accepts the code that was approved', () => {
    expect(() => check(approval())).not.to.throw();
  });

  it('is the SHA-256 of every file with path and length, in the order of paths', () => {
    write('plugins/two/plugin.js', 'xy');
    write('plugins/two/lib/z.js', '');
    const hash = createHash('sha256')
      .update('file\0lib/z.js\x000\0file\0plugin.js\x002\0xy')
      .digest('base64');
    expect(approval('two')).to.equal(`two=sha256-${hash}`);
  });

  it('is the same wherever the folder lies, and whatever git keeps in it', () => {
    const before = approval();
    cpSync(at('plugins/one'), at('elsewhere/one'), { recursive: true });
    write('elsewhere/one/.git/index', 'changes with every look');
    expect(approval('one', { path: 'elsewhere' })).to.equal(before);
  });

  const changes: readonly (readonly [string, () => void])[] = [
    ['a changed byte', () => write('plugins/one/lib/a.js', 'export const a = 2;')],
    ['an added file', () => write('plugins/one/lib/c.js', '')],
    ['an added file whose name begins with a dot', () => write('plugins/one/lib/.c.js', '')],
    ['a missing file', () => rmSync(at('plugins/one/lib/a.js'))],
    ['a renamed file', () => renameSync(at('plugins/one/lib/a.js'), at('plugins/one/lib/aa.js'))],
    ['a moved file', () => renameSync(at('plugins/one/lib/a.js'), at('plugins/one/a.js'))],
    [
      'contents swapped between two files',
      () => {
        write('plugins/one/lib/a.js', 'export const b = 2;');
        write('plugins/one/lib/b.js', 'export const a = 1;');
      },
    ],
    [
      'a byte that went from one file to the next',
      () => {
        write('plugins/one/lib/a.js', 'export const a = 1');
        write('plugins/one/lib/b.js', ';export const b = 2;');
      },
    ],
    ['a changed package in it', () => write('plugins/one/node_modules/dep/index.js', 'steal();')],
    ['another manifest', () => write('plugins/one/package.json', '{ "type": "commonjs" }')],
  ];
  for (const [title, change] of changes) {
    it(`refuses ${title}, and says what to do`, () => {
      const before = approval();
      change();
      expect(() => check(before))
        .to.throw(`The code of the plugin "one" in ${at('plugins/one')} is not the approved one`)
        .with.property('name', 'StartupError');
      expect(() => check(before)).to.throw(`should be ${before.slice(4)} and is ${approval().slice(4)}`);
      expect(() => check(before)).to.throw(`put ${approval()} into plugins.integrity (PLUGINS_INTEGRITY)`);
    });
  }

  it('wants an entry for every enabled plugin from outside as soon as there is one', () => {
    write('plugins/two/plugin.js', '');
    const both = { enabled: ['one', 'two'] };
    expect(() => refuse(found(both), [approval()])).to.throw(`add ${approval('two', both)}`);
    expect(() => refuse(found(both), [])).not.to.throw();
    expect(() => check(approval()), 'two is switched off').not.to.throw();
  });

  it('does not read the code of a plugin that is switched off', () => {
    expect(() => refuse(found({ enabled: [] }), [`one=${OTHER}`])).not.to.throw();
  });

  it('reports every fault at once', () => {
    const faults = (): void => check(`one=${OTHER}`, `users=${OTHER}`, `three=${OTHER}`);
    for (const sentence of [
      'hash should be',
      '"users" is a built-in plugin',
      '"three" is not a plugin here. From outside are: one.',
    ]) {
      expect(faults).to.throw(sentence);
    }
  });

  it('refuses two entries for one plugin', () => {
    expect(() => check(approval(), `one=${OTHER}`)).to.throw('names "one" more than once');
  });

  describe('with links', () => {
    const refused = /The link "lib\/link" .+ is not among the files of that folder/;
    const link = (target: string, path = 'plugins/one/lib/link'): void => symlinkSync(target, at(path));

    it('accepts those that stay in the folder, as npm makes them', () => {
      mkdirSync(at('plugins/one/node_modules/.bin'));
      link('../dep/index.js', 'plugins/one/node_modules/.bin/dep');
      expect(() => check(approval())).not.to.throw();
    });

    it('refuses one that leads to another file than before', () => {
      link('a.js');
      const before = approval();
      rmSync(at('plugins/one/lib/link'));
      link('b.js');
      expect(() => check(before)).to.throw('is not the approved one');
    });

    it('refuses those that lead out of the folder, to a file, a directory or another link', () => {
      write('outside/evil.js', '');
      link('outside', 'way');
      for (const target of [
        '../../../outside/evil.js',
        at('outside'),
        at('way/evil.js'),
        '..//../../plugins',
      ]) {
        link(target);
        expect(() => approval(), target).to.throw(refused);
        rmSync(at('plugins/one/lib/link'));
      }
    });

    it('refuses those that lead nowhere, in a circle, or to what is not hashed', () => {
      write('plugins/one/.git/hidden.js', '');
      for (const target of ['nowhere.js', 'link', '../.git/hidden.js']) {
        link(target);
        expect(() => approval()).to.throw(refused);
        rmSync(at('plugins/one/lib/link'));
      }
    });

    it('follows the one that is the folder itself, as npm link makes it', () => {
      const manifest = '{ "type": "module", "vitrine": { "plugin": "./plugin.js" } }';
      write('workspace/linked/package.json', manifest);
      write('workspace/linked/plugin.js', '');
      mkdirSync(at('node_modules'));
      symlinkSync(at('workspace/linked'), at('node_modules/linked'), 'dir');
      const packages = { packages: ['linked'] };
      const before = approval('linked', packages);
      expect(() => refuse(found({ ...packages, enabled: [] }), [before])).not.to.throw();
      write('workspace/linked/plugin.js', 'steal();');
      expect(() => refuse(found({ ...packages, enabled: [] }), [before])).to.throw('"linked"');
    });
  });

  it('refuses a plugin that begins outside of its folder', () => {
    write('plugins/one/package.json', '{ "vitrine": { "plugin": "../../outside.js" } }');
    write('outside.js', '');
    expect(() => approval()).to.throw(`begins in ${at('outside.js')}, which is not among the files`);
  });

  it('refuses what is no file, such as a socket', async () => {
    const server = createServer().listen(at('plugins/one/socket'));
    await once(server, 'listening');
    try {
      expect(() => approval()).to.throw('"socket" of the plugin "one"');
    } finally {
      server.close();
    }
  });

  describe('in a plan', () => {
    const plan = (env: Record<string, string>) =>
      makePlan({
        env: { PLUGINS_PATH: 'plugins', PLUGINS_ENABLED: 'one', ...env },
        cwd: folder,
      }).then(
        () => 'made',
        (error: Error) => error.message,
      );

    beforeEach(() =>
      write(
        'plugins/one/plugin.js',
        `import { writeFileSync } from 'node:fs';
        import { definePlugin } from 'vitrine';
        writeFileSync(${JSON.stringify(at('ran'))}, '');
        export default definePlugin({ id: 'one', version: '1.0.0', api: '^1.0', summary: 'x' });`,
      ),
    );

    it('lets approved code run', async () => {
      expect(await plan({ PLUGINS_INTEGRITY: approval() })).to.equal('made');
      expect(existsSync(at('ran'))).to.equal(true);
    });

    it('lets no other code run', async () => {
      expect(await plan({ PLUGINS_INTEGRITY: `one=${OTHER}` })).to.include('is not the approved one');
      expect(existsSync(at('ran'))).to.equal(false);
    });

    it('lets none run when an entry, its name or the file that it stands in cannot be understood', async () => {
      for (const text of [
        'plugins:\n  integrity: nonsense',
        `plugins:\n  integrety: [one=${OTHER}]`,
        `plugin:\n  integrity: [one=${OTHER}]`,
        'plugins: [',
      ]) {
        write('own.yaml', text);
        expect(await plan({ VITRINE_CONFIG: at('own.yaml') }), text).to.include('The configuration has');
      }
      expect(await plan({ PLUGINS_INTEGRITY: 'one=sha256-short' })).to.include('PLUGINS_INTEGRITY');
      expect(existsSync(at('ran'))).to.equal(false);
    });
  });
});
