import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../core/support/package-root.ts';

const FITS = `
  const { fitSqlite, isFitted } = await import('./scripts/prepare/sqlite-binding.mjs');
  const [modules, node] = process.argv.slice(1);
  fitSqlite(modules, node);
  console.log(isFitted(modules));`;

describe('scripts/prepare/sqlite-binding.mjs', () => {
  let modules: string;
  beforeEach(() => {
    modules = mkdtempSync(join(tmpdir(), 'vitrine-modules-'));
    install('better-sqlite3', '12.11.1');
    install('better-sqlite3-13', '13.2.0');
  });
  afterEach(() => rmSync(modules, { recursive: true }));

  const install = (folder: string, version: string): void => {
    mkdirSync(join(modules, folder));
    writeFileSync(join(modules, folder, 'package.json'), JSON.stringify({ version }));
    writeFileSync(join(modules, folder, `only-in-${version}`), '');
  };
  const fitted = (node: string): string => {
    const args = ['--input-type=module', '--eval', FITS, modules, node];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: packageRoot, encoding: 'utf8' });
    expect(stderr).to.equal('');
    return stdout.trim();
  };
  const installed = (file: string): string => readFileSync(join(modules, 'better-sqlite3', file), 'utf8');

  for (const node of ['20.19.0', '22.12.0']) {
    it(`leaves what the lockfile names on Node ${node}`, () => {
      expect(fitted(node)).to.equal('false');
      expect(installed('package.json')).to.include('12.11.1');
    });
  }

  for (const node of ['24.0.0', '26.10.0']) {
    it(`puts the newer one in its place on Node ${node}, once`, () => {
      expect(fitted(node)).to.equal('true');
      expect(installed('only-in-13.2.0')).to.equal('');
      expect(() => installed('only-in-12.11.1')).to.throw('ENOENT');
      expect(fitted(node)).to.equal('true');
    });
  }
});
