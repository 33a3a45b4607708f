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

  it('is at most 260 KiB with the playground, without what is loaded when it is used', () => {
    const files = readdirSync(join(folder, 'assets'));
    const page = files.find((name) => name.startsWith('algorithm-page') && name.endsWith('.js'))!;
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    const first = [...html.matchAll(/assets\/([^"]+)"/g)].map(([, name]) => name!);
    const all = new Set([...first, ...importedBy(page)]);
    expect(sum([...all].map(compressed))).to.be.within(150 * KIB, 260 * KIB);
  });

  it('is at most 30 KiB more for the administration, of which the first screen has nothing', () => {
    const files = readdirSync(join(folder, 'assets'));
    const screens = files.find((name) => name.startsWith('screens') && name.endsWith('.js'))!;
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    const first = new Set(
      [...html.matchAll(/assets\/([^"]+)"/g)].flatMap(([, name]) => [...importedBy(name!)]),
    );
    expect([...first]).not.to.include(screens);
    const added = [...importedBy(screens)].filter((name) => !first.has(name));
    expect(sum(added.map(compressed))).to.be.within(10 * KIB, 30 * KIB);
  });
});

/** A script and those that it cannot start without. */
function importedBy(name: string, known = new Set<string>()): Set<string> {
  if (known.has(name)) return known;
  known.add(name);
  const source = readFileSync(join(folder, 'assets', name), 'utf8');
  for (const [, other] of source.matchAll(/(?:from|import) ?["'`]\.\/([^"'`]+\.js)["'`]/g))
    importedBy(other!, known);
  return known;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
