import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { packageRoot } from '../../../core/support/package-root.ts';
import { createConsole } from '../../../plugins/console/console.ts';
import { freePort } from '../../support/free-port.ts';
import { startVitrine, type Vitrine } from '../../support/vitrine.ts';

describe('the console', () => {
  const started: Vitrine[] = [];
  after(async () => {
    for (const vitrine of started) await vitrine.stop();
  });
  const start = async (plugins: readonly string[], server: object = {}) => {
    const port = await freePort();
    const vitrine = await startVitrine('sqlite', { plugins, settings: { server: { port, ...server } } });
    started.push(vitrine);
    return (path: string, headers: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'manual' });
  };

  let get: Awaited<ReturnType<typeof start>>;
  before(async () => (get = await start(['console', 'reference'])));

  it('is at the root', async () => {
    const answer = await get('/');
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(await answer.text()).to.contain('<div id="app">');
  });

  it('allows nothing inline and nothing from elsewhere', async () => {
    const answer = await get('/');
    const policy = answer.headers.get('content-security-policy')!;
    expect(policy)
      .to.contain("default-src 'self'")
      .and.contain("frame-ancestors 'none'")
      .and.not.to.contain('unsafe');
    const html = await answer.text();
    expect(html).not.to.match(/<script>|<style|https?:\/\/| on[a-z]+=/);
    // All but the import map, which says where pages of plugins find React.
    const [map, ...others] = [...html.matchAll(/<script[^>]*>([^]+?)<\/script>/g)].map(
      ([, script]) => script!,
    );
    expect(others).to.deep.equal([]);
    expect(policy).to.contain(
      `script-src 'self' 'sha256-${createHash('sha256').update(map!).digest('base64')}'`,
    );
    const { imports } = JSON.parse(map!) as { readonly imports: Readonly<Record<string, string>> };
    expect(imports).to.have.all.keys('react', 'react/jsx-runtime', 'react-dom', 'react-dom/client');
    for (const path of Object.values(imports)) expect((await get(path.slice(1))).status, path).to.equal(200);
  });

  it('allows pages of algorithms their styles in a document of its own, which runs its one script alone', async () => {
    const answer = await get('/frame');
    const policy = answer.headers.get('content-security-policy')!;
    expect(policy.split('; '))
      .to.include("default-src 'none'")
      .and.include("style-src 'self' 'unsafe-inline'")
      .and.include("frame-ancestors 'self'")
      .and.include('sandbox allow-scripts');
    const scripts = [...(await answer.text()).matchAll(/<script>([^]*?)<\/script>/g)].map(
      ([, script]) => script!,
    );
    const digests = scripts.map((script) => createHash('sha256').update(script).digest('base64'));
    expect(policy).to.match(/script-src 'sha256-[^ ;]+';/);
    expect(digests.map((digest) => policy.includes(`'sha256-${digest}'`))).to.deep.equal([true]);
  });

  it('answers 304 to a browser that has the page already', async () => {
    const etag = (await get('/')).headers.get('etag')!;
    expect((await get('/', { 'If-None-Match': etag })).status).to.equal(304);
  });

  for (const path of [
    '/algorithms/an-id',
    '/calls/an-id',
    '/history',
    '/keys',
    '/account',
    '/sign-in',
    '/pages/llm/test-data',
  ]) {
    it(`serves the page at ${path}, with links that lead to the same files`, async () => {
      expect(await linksAt(get, path)).to.deep.equal(await linksAt(get, '/'));
    });
  }

  it('does so with a slash at the end as well', async () => {
    expect(await linksAt(get, '/algorithms/an-id/')).to.deep.equal(await linksAt(get, '/'));
  });

  describe('an address that leads nowhere', () => {
    const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

    it('shows a browser the page, which says so', async () => {
      for (const path of ['/nowhere', '/history/of/nobody', '/docs/none']) {
        const answer = await get(path, browser);
        expect(answer.status, path).to.equal(404);
        expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
        expect(answer.headers.get('content-security-policy')).to.contain("default-src 'self'");
        expect(await answer.text()).to.contain('<div id="app">');
        expect(await linksAt(get, path, browser), path).to.deep.equal(await linksAt(get, '/'));
      }
    });

    it('answers a problem to programs, and below the path of the API to all', async () => {
      for (const [path, headers] of [
        ['/nowhere', { Accept: '*/*' }],
        ['/api/v1/nowhere', browser],
        ['/api/v1/algorithms/none', browser],
      ] as const) {
        const answer = await get(path, headers);
        expect(answer.status, path).to.equal(404);
        expect(answer.headers.get('content-type')).to.equal('application/problem+json');
      }
    });
  });

  it('serves the files of the page for ever, compressed for browsers that take it', async () => {
    const files = (await linksAt(get, '/')).filter((path) => path.startsWith('/assets/'));
    expect(files.length).to.be.greaterThan(1);
    for (const path of files) {
      const plain = await get(path, { 'Accept-Encoding': 'identity' });
      const compressed = await get(path, { 'Accept-Encoding': 'br, gzip;q=0.5' });
      const refused = await get(path, { 'Accept-Encoding': 'gzip;q=0, identity' });
      expect(refused.headers.get('content-encoding')).to.equal(null);
      expect(plain.status, path).to.equal(200);
      expect(plain.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
      expect(plain.headers.get('content-encoding')).to.equal(null);
      expect(compressed.headers.get('content-encoding')).to.equal('gzip');
      expect(await compressed.text(), path).to.equal(await plain.text());
    }
  });

  for (const file of ['index.html', '..%2Findex.html', 'constructor', 'no-such-file.js']) {
    it(`serves no other file: ${file}`, async () => {
      const answer = await get(`/assets/${file}`);
      expect(answer.status).to.equal(404);
      expect(answer.headers.get('content-type')).to.equal('application/problem+json');
    });
  }

  it('moves with what stands before /api/v1 in the base path', async () => {
    const below = await start(['console'], { base_path: '/keep/api/v1' });
    expect((await below('/')).status).to.equal(404);
    const files = (await linksAt(get, '/')).map((path) => path.replace(/^\//, '/keep/'));
    for (const path of ['/keep', '/keep/', '/keep/history', '/keep/algorithms/an-id']) {
      expect(await linksAt(below, path), path).to.deep.equal(files);
    }
    expect((await below(files.find((path) => path.endsWith('.js'))!)).status).to.equal(200);
  });

  it('tells the page where the API is', async () => {
    expect(await (await get('/history')).text()).to.contain('<meta name="vitrine-api" content="api/v1"');
    const elsewhere = await start(['console'], { base_path: '/service' });
    expect(await (await elsewhere('/history')).text()).to.contain('content="service"');
  });
});

describe('the files of the console on the disk', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'vitrine-web-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const given = () => createConsole({ basePath: '/api/v1', rootPath: '' }, pathToFileURL(`${folder}/`));
  const outcome = (answer: Promise<unknown>) =>
    answer.then(
      () => 200,
      ({ status }: { readonly status: number }) => status,
    );

  it('are 404 once they are deleted, and served again when they are back', async () => {
    const file = join(folder, 'assets', 'late.js');
    mkdirSync(join(folder, 'assets'));
    writeFileSync(file, '1');
    writeFileSync(join(folder, 'assets', 'other.js'), '2');
    const site = given();
    expect(await outcome(site.file('other.js', undefined))).to.equal(200);
    rmSync(file);
    expect(await outcome(site.file('late.js', undefined))).to.equal(404);
    writeFileSync(file, '1');
    expect(await outcome(site.file('late.js', undefined))).to.equal(200);
  });

  it('are found after a build that came later than the first request', async () => {
    const site = given();
    expect(await outcome(site.file('late.js', undefined))).to.equal(404);
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'assets', 'late.js'), '1');
    expect(await outcome(site.file('late.js', undefined))).to.equal(200);
  });
});

describe('the parts of the console that are loaded late', () => {
  it('are all loaded by what reloads the page of an older version', () => {
    const sources = join(packageRoot, 'plugins/console/web/src');
    const imports = readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .flatMap((path) =>
        [...readFileSync(join(sources, path), 'utf8').matchAll(/.*\bimport\(.*/g)].map(([line]) =>
          line.trim(),
        ),
      );
    expect(imports.length).to.be.greaterThan(10);
    const own = imports.filter((line) => !line.includes('@vite-ignore'));
    expect(own.filter((line) => !/\b(?:part|lazyPart)\(\(\) => import\(/.test(line))).to.deep.equal([]);
  });
});

describe('the console for those who are signed in', () => {
  let vitrine: Vitrine;
  before(async () => (vitrine = await startVitrine('sqlite', { plugins: ['console', 'users'] })));
  after(() => vitrine.stop());

  it('is kept by browsers all the same', async () => {
    const { token } = await vitrine.admin();
    const headers = { Authorization: `Bearer ${token}` };
    const page = await fetch(`${vitrine.rootUrl}/`, { headers });
    expect(page.headers.get('cache-control')).to.equal('no-cache');
    const [, file] = /src="\.\/(assets\/[^"]+)"/.exec(await page.text())!;
    const script = await fetch(`${vitrine.rootUrl}/${file}`, { headers });
    expect(script.headers.get('cache-control')).to.contain('immutable');
  });
});

describe('the root without the console', () => {
  let vitrine: Vitrine;
  before(async () => {
    vitrine = await startVitrine('sqlite', { plugins: ['reference'] });
  });
  after(() => vitrine.stop());

  it('is no operation, and the problem names the API pages', async () => {
    const answer = await fetch(`${vitrine.rootUrl}/`);
    expect(answer.status).to.equal(404);
    expect(await answer.text()).to.contain('/docs');
  });
});

/** Where the links of the page lead that is served at a path, as a browser resolves them by its `<base>`. */
async function linksAt(
  get: (path: string, headers?: Record<string, string>) => Promise<Response>,
  path: string,
  headers?: Record<string, string>,
): Promise<string[]> {
  const html = await (await get(path, headers)).text();
  const [, base] = /<base href="([^"]+)"/.exec(html)!;
  const links = [...html.matchAll(/<(?:script|link)[^>]* (?:href|src)="([^"]+)"/g)].map(([, link]) => link!);
  return links.map((link) => new URL(link, new URL(base!, `http://service${path}`)).pathname);
}
