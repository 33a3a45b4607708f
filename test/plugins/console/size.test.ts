import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { packageRoot } from '../../../core/support/package-root.ts';

const KIB = 1024;
const folder = join(packageRoot, 'dist/plugins/console/web');
const compressed = (name: string): number =>
  gzipSync(readFileSync(join(folder, 'assets', name)), { level: 9 }).length;

describe('the size of the console, compressed', () => {
  it('is at most 150 KiB for the first screen', () => {
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    const first = [...html.matchAll(/assets\/([^"]+)"/g)].map(([, name]) => name!);
    expect(first.some((name) => name.endsWith('.js'))).to.equal(true);
    expect(sum(first.map(compressed))).to.be.within(50 * KIB, 150 * KIB);
  });

  it('is at most 260 KiB for all of it, the playground included', () => {
    expect(sum(readdirSync(join(folder, 'assets')).map(compressed))).to.be.at.most(260 * KIB);
  });
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
