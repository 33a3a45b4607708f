import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../core/support/package-root.ts';

/** The files that `npm publish` would send, relative to the root. */
function packedFiles(): readonly string[] {
  const options = { cwd: packageRoot, encoding: 'utf8', stdio: 'pipe' } as const;
  const listing = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], options);
  const [{ files }] = JSON.parse(listing) as [{ files: readonly { path: string }[] }];
  return files.map(({ path }) => path);
}

/** Where the relative links of a page lead, relative to the root. */
function linksOf(page: string, text: string): readonly string[] {
  return [...text.matchAll(/\]\((?![a-z]+:)([^)#\s]+)/g)].map(([, link]) =>
    normalize(join(dirname(page), link!)).replace(/\/$/, ''),
  );
}

describe('the published package', () => {
  let files: readonly string[];
  before(function () {
    this.timeout(60_000);
    files = packedFiles();
  });

  const isPacked = (path: string): boolean =>
    files.some((file) => file === path || file.startsWith(`${path}/`));

  it('holds the documentation and the complete example of a plugin', () => {
    for (const path of [
      'README.md',
      'docs/writing-a-plugin.md',
      'docs/your-first-plugin.md',
      'templates/plugin/src/plugin.ts',
      'templates/plugin/gitignore',
      'test/fixtures/vitrine-plugin-call-notes/src/plugin.ts',
      'test/fixtures/vitrine-plugin-call-notes/test/plugin.test.ts',
    ]) {
      expect(files).to.include(path);
    }
  });

  it('holds no test and no source but those of the example', () => {
    const strays = files.filter(
      (file) => /^(core|test|scripts)\//.test(file) && !file.includes('call-notes'),
    );
    expect(strays).to.deep.equal([]);
  });

  it('holds the files of the API pages with their notices, and needs no package for them', () => {
    const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(manifest.dependencies).not.to.have.any.keys('swagger-ui-dist', '@scarf/scarf');
    for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png', 'NOTICE']) {
      expect(files).to.include(`dist/plugins/reference/assets/${name}`);
    }
  });

  it('holds the console as it was built, and the types of the API', () => {
    expect(files).to.include.members(['dist/plugins/console/web/index.html', 'dist/client.d.ts']);
    expect(files.filter((file) => file.startsWith('plugins/console/web/'))).to.deep.equal([]);
  });

  it('holds whatever its pages link to', () => {
    const pages = files.filter((file) => file.endsWith('.md'));
    const broken = pages.flatMap((page) =>
      linksOf(page, readFileSync(join(packageRoot, page), 'utf8'))
        .filter((target) => !isPacked(target))
        .map((target) => `${page} → ${target}`),
    );
    expect(pages.length).to.be.greaterThan(20);
    expect(broken).to.deep.equal([]);
  });

  it('would not hold what a planted link leads to', () => {
    const [planted] = linksOf('docs/page.md', 'See [this](../core/no-such-file.ts#part).');
    expect(planted).to.equal('core/no-such-file.ts');
    expect(isPacked(planted!)).to.equal(false);
  });
});
