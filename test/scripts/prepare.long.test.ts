import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { packageRoot } from '../../core/support/package-root.ts';

/** A folder with the little that a clone needs. */
function cloneAt(root: string) {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  return {
    root,
    write,
    prepare: () => spawnSync(process.execPath, ['scripts/prepare.mjs'], { cwd: root, encoding: 'utf8' }),
    has: (path: string) => existsSync(join(root, path)),
    read: (path: string) => readFileSync(join(root, path), 'utf8'),
    /** What an expression is, as JSON, where `core` and `alpha` are the built modules. */
    evaluate: (expression: string): unknown => {
      const program = `
        const [core, alpha] = await Promise.all(['core/index', 'plugins/alpha/plugin'].map((path) => import('./dist/' + path + '.js')));
        console.log(JSON.stringify(${expression}));`;
      const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
        cwd: root,
        encoding: 'utf8',
      });
      expect(stderr).to.equal('');
      return JSON.parse(stdout);
    },
    delete: (path: string) => rmSync(join(root, path), { recursive: true }),
    copy: () => {
      const copy = mkdtempSync(join(tmpdir(), 'vitrine-clone-'));
      cpSync(root, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
      return cloneAt(copy);
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

type Clone = ReturnType<typeof cloneAt>;

/** A clone with one plugin and one test, and the packages of this one. */
function makeClone(): Clone {
  const root = mkdtempSync(join(tmpdir(), 'vitrine-clone-'));
  const clone = cloneAt(root);
  for (const file of ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']) {
    copyFileSync(join(packageRoot, file), join(root, file));
  }
  cpSync(join(packageRoot, 'scripts/prepare'), join(root, 'scripts/prepare'), { recursive: true });
  copyFileSync(join(packageRoot, 'scripts/prepare.mjs'), join(root, 'scripts/prepare.mjs'));
  symlinkSync(join(packageRoot, 'node_modules'), join(root, 'node_modules'));
  clone.write('core/index.ts', 'export const one: { value: number } = { value: 1 };\n');
  clone.write('cli/main.ts', "export { one } from '../core/index.ts';\n");
  clone.write(
    'plugins/alpha/plugin.ts',
    "export * from '../../core/index.ts';\nexport * from './pages/place.ts';\nexport { default as ip } from 'ipaddr.js';\n",
  );
  clone.write(
    'plugins/alpha/pages/place.ts',
    "export const page: string = new URL('../assets/page.html', import.meta.url).href;\n",
  );
  clone.write('plugins/alpha/assets/page.html', '<p>page</p>\n');
  clone.write('test/one.test.ts', 'export {};\n');
  return clone;
}

describe('scripts/prepare.mjs', function () {
  this.timeout(120_000);
  let prepared: Clone;
  let clone: Clone;
  before(() => {
    prepared = makeClone();
    expect(prepared.prepare().status).to.equal(0);
  });
  beforeEach(() => {
    clone = prepared.copy();
  });
  afterEach(() => clone.remove());
  after(() => prepared.remove());

  it('compiles each module for tests and scripts', () => {
    expect(clone.read('build/core/index.js')).to.include('export const one = { value: 1 }');
    expect(clone.has('build/test/one.test.js')).to.equal(true);
    expect(clone.read('build/plugins/alpha/assets/page.html')).to.equal('<p>page</p>\n');
  });

  it('bundles what is published, with its declarations, the assets of plugins and nothing of tests', () => {
    expect(clone.evaluate('core.one')).to.deep.equal({ value: 1 });
    expect(clone.read('dist/core/index.d.ts')).to.include('export declare const one');
    expect(clone.read('dist/plugins/alpha/assets/page.html')).to.equal('<p>page</p>\n');
    expect(clone.has('dist/plugins/alpha/pages/place.js')).to.equal(false);
    expect(clone.has('dist/test')).to.equal(false);
  });

  it('bundles a module that several import once', () => {
    expect(clone.evaluate('core.one === alpha.one')).to.equal(true);
  });

  it('lets a bundled module find what lies beside its source', () => {
    const page = pathToFileURL(join(realpathSync(clone.root), 'dist/plugins/alpha/assets/page.html')).href;
    expect(clone.evaluate('alpha.page')).to.equal(page);
  });

  it('bundles packages, with their licences', () => {
    expect(clone.evaluate("alpha.ip.IPv4.parse('10.0.0.1').range()")).to.equal('private');
    expect(clone.read('dist/plugins/alpha/plugin.js')).not.to.match(/ from ['"]ipaddr/);
    const notices = clone.read('dist/THIRD-PARTY-NOTICES.txt');
    expect(notices).to.match(/^ipaddr\.js \d+\.\d+\.\d+ \(MIT\)\n/);
    expect(notices).to.include('Permission is hereby granted');
  });

  it('says nothing and builds nothing when there is nothing to do', () => {
    clone.prepare();
    const stamp = clone.read('build/.vitrine-built.json');
    clone.write('dist/core/index.js', 'export const one = 2;\n');
    const { stdout, stderr } = clone.prepare();
    expect(stdout + stderr).to.equal('');
    expect(clone.read('dist/core/index.js')).to.equal('export const one = 2;\n');
    expect(clone.read('build/.vitrine-built.json')).to.equal(stamp);
  });

  it('builds a changed source anew', () => {
    clone.write('core/index.ts', 'export const one: number = 11;\n');
    expect(clone.prepare().stderr).to.include('building');
    expect(clone.read('build/core/index.js')).to.include('one = 11');
    expect(clone.evaluate('core.one')).to.equal(11);
  });

  it('leaves nothing of a deleted source', () => {
    clone.delete('plugins/alpha');
    clone.prepare();
    expect(clone.has('dist/plugins/alpha')).to.equal(false);
    expect(clone.has('build/plugins/alpha')).to.equal(false);
  });

  it('builds all of it again after an interruption or a deleted output', () => {
    clone.delete('dist/core');
    clone.delete('build/core');
    clone.prepare();
    expect(clone.has('dist/core/index.js')).to.equal(true);
    expect(clone.has('build/core/index.js')).to.equal(true);
  });

  it('fails on a source that does not compile, and again until it does', () => {
    clone.write('core/index.ts', "export const one: number = 'one';\n");
    expect(clone.prepare().status).to.equal(1);
    expect(clone.prepare().status).to.equal(1);
    clone.write('core/index.ts', 'export const one: number = 1;\n');
    expect(clone.prepare().status).to.equal(0);
  });

  it('takes over from a run that was killed', () => {
    clone.write('.vitrine-prepare.lock', '999999999');
    expect(clone.prepare().status).to.equal(0);
    expect(clone.has('.vitrine-prepare.lock')).to.equal(false);
  });

  it('ends with the reason when the native module that npm rebuilt cannot be loaded, and tries again the next time', () => {
    const versions = { 'better-sqlite3': '12.0.0', 'better-sqlite3-13': '13.0.0' };
    const packages = Object.fromEntries(
      Object.entries(versions).map(([name, version]) => [`node_modules/${name}`, { version }]),
    );
    clone.delete('node_modules');
    clone.write('package.json', JSON.stringify({ name: 'clone', allowScripts: { 'better-sqlite3': true } }));
    clone.write(
      'package-lock.json',
      JSON.stringify({ name: 'clone', lockfileVersion: 3, packages: { '': {}, ...packages } }),
    );
    clone.write('node_modules/.package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }));
    for (const [name, version] of Object.entries(versions)) {
      clone.write(`node_modules/${name}/package.json`, JSON.stringify({ name, version }));
      clone.write(`node_modules/${name}/index.js`, 'throw new Error("invalid ELF header");\n');
    }
    for (let time = 1; time <= 2; time += 1) {
      const { status, stderr } = clone.prepare();
      expect(status).to.equal(1);
      expect(stderr).to.contain(`cannot load it: invalid ELF header. Delete node_modules`);
    }
  });
});
