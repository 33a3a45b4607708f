import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../core/runtime/package-root.ts';

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
  clone.write('core/index.ts', 'export const one: number = 1;\n');
  clone.write('plugins/alpha/plugin.ts', "export * from '../../core/index.ts';\n");
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

  it('compiles the source and copies the assets of plugins', () => {
    expect(clone.read('dist/core/index.js')).to.include('export const one = 1');
    expect(clone.read('dist/plugins/alpha/assets/page.html')).to.equal('<p>page</p>\n');
  });

  it('says nothing and builds nothing when there is nothing to do', () => {
    clone.prepare();
    const stamp = clone.read('dist/.vitrine-built.json');
    clone.write('dist/core/index.js', 'export const one = 2;\n');
    const { stdout, stderr } = clone.prepare();
    expect(stdout + stderr).to.equal('');
    expect(clone.read('dist/core/index.js')).to.equal('export const one = 2;\n');
    expect(clone.read('dist/.vitrine-built.json')).to.equal(stamp);
  });

  it('builds a changed source anew', () => {
    clone.write('core/index.ts', 'export const one: number = 11;\n');
    expect(clone.prepare().stderr).to.include('building');
    expect(clone.read('dist/core/index.js')).to.include('one = 11');
  });

  it('leaves nothing of a deleted source', () => {
    clone.delete('plugins/alpha');
    clone.prepare();
    expect(clone.has('dist/plugins')).to.equal(false);
  });

  it('builds all of it again after an interruption or a deleted output', () => {
    clone.delete('dist/core');
    clone.prepare();
    expect(clone.has('dist/core/index.js')).to.equal(true);
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
});
