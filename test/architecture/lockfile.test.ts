import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../core/support/package-root.ts';
import {
  lockfileFaults,
  runtimeScripts,
  type AllowedScripts,
  type LockedPackage,
  type Lockfile,
} from './lockfile.ts';

const read = (name: string): unknown => JSON.parse(readFileSync(join(packageRoot, name), 'utf8'));
const lockfile = read('package-lock.json') as Lockfile;
const { allowScripts } = read('package.json') as { readonly allowScripts: AllowedScripts };

describe('architecture: the lockfile', () => {
  it('has every package with its hash, from the registry, and a decision on each install script', () => {
    expect(lockfileFaults(lockfile, allowScripts)).to.deep.equal([]);
    expect(Object.keys(lockfile.packages).length).to.be.greaterThan(200);
  });

  it('lets one install script run where the service is installed', () => {
    expect(runtimeScripts(lockfile, allowScripts)).to.deep.equal(['better-sqlite3']);
  });

  const integrity = 'sha512-aaaa';
  const planted: Record<string, LockedPackage> = {
    'has no integrity': {},
    'has no integrity of sha512': { integrity: 'sha1-aaaa' },
    'comes from https://elsewhere.example/a.tgz': { integrity, resolved: 'https://elsewhere.example/a.tgz' },
    'comes from git+ssh://git@example.org/a.git': { integrity, resolved: 'git+ssh://git@example.org/a.git' },
    'has an install script': { integrity, hasInstallScript: true },
  };
  for (const [fault, locked] of Object.entries(planted)) {
    it(`is refused when a package ${fault}`, () => {
      const path = 'node_modules/one/node_modules/@two/three';
      const faults = lockfileFaults({ packages: { '': {}, [path]: locked } }, { one: true });
      expect(faults).to.have.length(1);
      expect(faults[0]).to.include(`${path} ${fault}`);
    });
  }

  it('is asked for scripts of nested packages, too', () => {
    const nested = { 'node_modules/one/node_modules/two': { integrity, hasInstallScript: true } };
    expect(runtimeScripts({ packages: nested }, { two: true })).to.deep.equal(['two']);
    expect(runtimeScripts({ packages: nested }, { two: false })).to.deep.equal([]);
  });
});
