import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../core/support/package-root.ts';

const DAY_MS = 86_400_000;
const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

/** What the registry has of a package: the age of each version in days. */
type Ages = Readonly<Record<string, number>>;

const integrity = `sha512-${'A'.repeat(86)}==`;
const bill = 'demo-1.2.0.cdx.json';

describe('scripts/release.mjs', function () {
  this.timeout(120_000);
  let root: string;
  let registry: Server;
  let known: Record<string, Ages>;
  let asked: string[];

  beforeEach(async () => {
    asked = [];
    known = { alpha: { '1.0.0': 300, '1.0.1': 8 }, '@some/beta': { '2.0.0': 400 } };
    registry = createServer((request, response) => {
      const isShort = request.headers.accept === 'application/vnd.npm.install-v1+json';
      const name = decodeURIComponent(request.url!.slice(1));
      asked.push(`${isShort ? 'short' : 'long'} ${name}`);
      const ages = known[name];
      if (!ages) return void response.writeHead(404).end('{}');
      const youngest = ago(Math.min(...Object.values(ages)));
      const time = Object.fromEntries(Object.entries(ages).map(([version, days]) => [version, ago(days)]));
      response.end(JSON.stringify(isShort ? { name, modified: youngest } : { name, time }));
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    root = mkdtempSync(join(tmpdir(), 'vitrine-release-'));
    for (const path of ['scripts/release', 'scripts/release.mjs', 'scripts/prepare/files.mjs']) {
      cpSync(join(packageRoot, path), join(root, path), { recursive: true });
    }
    write('package.json', { name: 'demo', version: '1.2.0', dependencies: { alpha: '^1.0.0' } });
    write('package-lock.json', {
      name: 'demo',
      version: '1.2.0',
      lockfileVersion: 3,
      packages: {
        '': { name: 'demo', version: '1.2.0', dependencies: { alpha: '^1.0.0', '@some/beta': '^2.0.0' } },
        'node_modules/alpha': { version: '1.0.1', integrity },
        'node_modules/@some/beta': { version: '2.0.0', integrity },
      },
    });
    write('scripts/release/exceptions.json', {});
    write('.gitignore', '*.cdx.json\n');
    write('CHANGELOG.md', '# Changelog\n\n## 1.2.0 (2026-01-31)\n\n## 1.1.0 (2026-01-01)\n');
    git('init', '--quiet');
    commit();
  });
  afterEach(() => {
    registry.closeAllConnections();
    registry.close();
    rmSync(root, { recursive: true, force: true });
  });

  function write(path: string, content: unknown): void {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  function git(...args: string[]): void {
    execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  }
  function commit(): void {
    git('add', '--all');
    git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '--quiet', '--message', 'All');
  }
  function check(): Promise<{ readonly code: number; readonly description: string }> {
    const { port } = registry.address() as AddressInfo;
    const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}` };
    return new Promise((resolve) => {
      execFile(process.execPath, ['scripts/release.mjs'], { cwd: root, env }, (error, stdout, stderr) =>
        resolve({ code: error ? 1 : 0, description: stdout + stderr }),
      );
    });
  }

  it('writes the bill of materials when all is well', async () => {
    const { code, description } = await check();
    expect(description).to.include(`Publish ${bill}`);
    expect(code).to.equal(0);
    const { bomFormat, metadata, components } = JSON.parse(readFileSync(join(root, bill), 'utf8')) as {
      bomFormat: string;
      metadata: { component: { name: string; version: string } };
      components: { purl: string }[];
    };
    expect(bomFormat).to.equal('CycloneDX');
    expect(metadata.component).to.include({ name: 'demo', version: '1.2.0' });
    expect(components.map(({ purl }) => purl)).to.have.members([
      'pkg:npm/alpha@1.0.1',
      'pkg:npm/%40some/beta@2.0.0',
    ]);
  });

  const refuses = (what: string, wrong: () => void, description: RegExp): void => {
    it(`refuses ${what}`, async () => {
      wrong();
      const result = await check();
      expect(result.description).to.match(description);
      expect(result.code).to.equal(1);
      expect(existsSync(join(root, bill))).to.equal(false);
    });
  };
  refuses(
    'a package of the last seven days',
    () => (known['alpha'] = { '1.0.1': 6.9 }),
    /alpha@1\.0\.1 was published at .*7 days/,
  );
  refuses(
    'a package that the registry does not know',
    () => delete known['@some/beta'],
    /@some\/beta@2\.0\.0.*404/,
  );
  refuses(
    'a version of unknown age',
    () => (known['alpha'] = { '1.0.2': 1 }),
    /alpha@1\.0\.1: the registry does not say/,
  );
  refuses(
    'what is not committed',
    () => write('new.txt', 'new'),
    /Not everything is committed:\n\?\? new\.txt/,
  );
  refuses(
    'a changelog without a day',
    () => write('CHANGELOG.md', '## 1.2.0 (unreleased)\n'),
    /begins with "## 1\.2\.0 \(unreleased\)"; it must begin with "## 1\.2\.0 \(YYYY-MM-DD\)"/,
  );
  refuses(
    'a changelog of another version',
    () => write('CHANGELOG.md', '## 1.1.0 (2026-01-31)\n'),
    /"## 1\.1\.0 /,
  );
  refuses(
    'a lockfile of another version',
    () => write('package.json', { name: 'demo', version: '1.3.0' }),
    /package-lock\.json is of version 1\.2\.0, package\.json of 1\.3\.0/,
  );
  refuses(
    'an exception that is no longer needed',
    () => write('scripts/release/exceptions.json', { 'alpha@1.0.0': 'a fix' }),
    /exceptions\.json names alpha@1\.0\.0, which is not locked/,
  );

  it('takes a young version for which there is a reason', async () => {
    known['alpha'] = { '1.0.1': 1 };
    write('scripts/release/exceptions.json', { 'alpha@1.0.1': 'closes a hole' });
    commit();
    expect(await check()).to.include({ code: 0 });
  });

  it('takes an old version of a package that has a young one', async () => {
    known['alpha'] = { '1.0.1': 30, '1.0.2': 1 };
    expect(await check()).to.include({ code: 0 });
  });

  it('asks for the long document only where something is young', async () => {
    known['alpha'] = { '1.0.1': 30, '1.0.2': 1 };
    await check();
    expect(asked).to.have.members(['short alpha', 'long alpha', 'short @some/beta']);
  });
});
