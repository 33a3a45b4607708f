import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { createPages } from '../../../plugins/reference/pages.ts';
import { freePort } from '../../support/free-port.ts';
import { startVitrine, type Vitrine } from '../../support/vitrine.ts';

onEveryEngine((engine) => {
  describe('the reference', () => {
    let vitrine: Vitrine;
    before(async () => (vitrine = await startVitrine(engine, { plugins: ['reference', 'monitoring'] })));
    after(() => vitrine.stop());

    const page = (path: string, headers: Record<string, string> = {}) =>
      vitrine.request('GET', vitrine.rootUrl + path, { headers });

    it('serves the OpenAPI document to everybody', async () => {
      const { status, headers, body } = await vitrine.request('GET', '/openapi.json');
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal('application/json; charset=utf-8');
      expect(body.openapi).to.equal('3.1.0');
      expect(body.servers).to.deep.equal([{ url: '/api/v1' }]);
    });

    it('describes what is enabled, and nothing else', async () => {
      const { body } = await vitrine.request('GET', '/openapi.json');
      expect(Object.keys(body.paths)).to.have.members([
        '/health',
        '/jobs',
        '/monitoring/callers',
        '/monitoring/events',
        '/monitoring/health',
        '/monitoring/load',
        '/monitoring/performance/algorithm/{algorithm_id}',
        '/monitoring/series',
        '/openapi.json',
        '/plugins',
        '/settings',
      ]);
    });

    it('answers 304 to a client that has the document already', async () => {
      const { headers } = await vitrine.request('GET', '/openapi.json');
      const again = await vitrine.request('GET', '/openapi.json', {
        headers: { 'If-None-Match': `"other", W/${headers['etag']}` },
      });
      expect(again.status).to.equal(304);
      expect(again.body).to.equal('');
      const changed = await vitrine.request('GET', '/openapi.json', {
        headers: { 'If-None-Match': '"other"' },
      });
      expect(changed.status).to.equal(200);
    });

    it('ignores credentials on the pages, so that browsers keep the files also for people who are signed in', async () => {
      for (const path of ['/docs', '/docs/swagger-ui.css']) {
        const { status, headers } = await page(path, { authorization: 'Bearer x' });
        expect([status, headers['cache-control']]).to.deep.equal([200, 'no-cache']);
      }
    });

    it('serves a page whose policy allows nothing inline and nothing from elsewhere', async () => {
      const { status, headers, body } = await page('/docs');
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal('text/html; charset=utf-8');
      expect(headers['content-security-policy'])
        .to.contain("default-src 'none'")
        .and.not.to.contain('unsafe');
      expect(body).not.to.match(/<script>|<style|https?:\/\/| on[a-z]+=/);
    });

    it('refers to its files from where it was asked for, with or without a slash at the end', async () => {
      const below = async (path: string) => linksOf((await page(path)).body, path);
      const files = [
        '/docs/swagger-ui.css',
        '/docs/favicon-32x32.png',
        '/docs/swagger-ui-bundle.js',
        '/docs/answered-ids.js',
        '/docs/start.js',
      ];
      expect(await below('/docs')).to.deep.equal(files);
      expect(await below('/docs/')).to.deep.equal(files);
      expect((await page('/docs')).body).not.to.match(/(href|src)="\//);
    });

    it('serves every file that the page refers to', async () => {
      const files = linksOf((await page('/docs')).body, '/docs');
      const answers = await Promise.all(files.map((path) => page(path)));
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200]);
      expect(answers.map(({ headers }) => headers['content-type'])).to.have.members([
        'text/css; charset=utf-8',
        'image/png',
        'text/javascript; charset=utf-8',
        'text/javascript; charset=utf-8',
        'text/javascript; charset=utf-8',
      ]);
    });

    /** Runs the script of the page as a browser that found it at an address. */
    const run = async (src: string) => {
      const preference = Object.assign(new EventTarget(), { matches: true });
      const classes = new Set<string>();
      const toggle = (name: string, on: boolean) => (on ? classes.add(name) : classes.delete(name));
      let options: Record<string, unknown> = {};
      runInNewContext((await page('/docs/start.js')).body, {
        URL,
        answeredIds: 'fills in ids',
        SwaggerUIBundle: (given: Record<string, unknown>) => (options = given),
        matchMedia: (query: string) => (query === '(prefers-color-scheme: dark)' ? preference : undefined),
        document: { documentElement: { classList: { toggle } }, currentScript: { src } },
      });
      return { options, preference, classes };
    };

    it('shows the document beside it, also below a prefix that the service never sees', async () => {
      const { options } = await run('https://example.org/vitrine/docs/start.js');
      expect(options['url']).to.equal('https://example.org/vitrine/api/v1/openapi.json');
    });

    it('keeps the authorization over a reload, and has a filter', async () => {
      const { options } = await run('https://example.org/docs/start.js');
      expect(options).to.include({ persistAuthorization: true, filter: true });
    });

    it('has ids filled in that only an answer tells', async () => {
      const { options } = await run('https://example.org/docs/start.js');
      expect((options['plugins'] as unknown[])[0]).to.equal('fills in ids');
    });

    it('opens operations by the resolver that does not read the whole document', async () => {
      const { options } = await run('https://example.org/docs/start.js');
      const [, fast] = options['plugins'] as { afterLoad(system: object): void }[];
      const fn = { resolveSubtree: (...given: unknown[]) => given };
      fast!.afterLoad({ fn });
      const [document, path] = fn.resolveSubtree({ openapi: '3.1.0', paths: {} }, ['paths']);
      expect(document).to.deep.equal({ openapi: '3.0.4', paths: {} });
      expect(path).to.deep.equal(['paths']);
    });

    it('is dark where the reader wants it dark, also when that changes', async () => {
      const { preference, classes } = await run('https://example.org/docs/start.js');
      expect([...classes]).to.deep.equal(['dark-mode']);
      preference.matches = false;
      preference.dispatchEvent(new Event('change'));
      expect([...classes]).to.be.empty;
      expect((await page('/docs/swagger-ui.css')).body).to.contain('html.dark-mode');
    });

    it('answers 304 to a client that has a file already', async () => {
      const { headers } = await page('/docs/swagger-ui.css');
      const again = await page('/docs/swagger-ui.css', { 'If-None-Match': headers['etag']! });
      expect(again.status).to.equal(304);
    });

    for (const file of [
      'package.json',
      'index.html',
      '..%2Fpackage.json',
      '%2e%2e/package.json',
      'constructor',
    ]) {
      it(`serves no other file: ${file}`, async () => {
        const { status, headers } = await page(`/docs/${file}`);
        expect(status).to.equal(404);
        expect(headers['content-type']).to.equal('application/problem+json');
      });
    }
  });
});

describe('the reference below a prefix', () => {
  const started: Vitrine[] = [];
  after(async () => {
    for (const vitrine of started) await vitrine.stop();
  });
  const start = async (server: object): Promise<{ vitrine: Vitrine; origin: string }> => {
    const port = await freePort();
    const vitrine = await startVitrine('sqlite', {
      plugins: ['reference'],
      settings: { server: { port, ...server } },
    });
    started.push(vitrine);
    return { vitrine, origin: `http://127.0.0.1:${port}` };
  };

  it('names the address that clients use as the server, when it is known', async () => {
    const { vitrine, origin } = await start({ public_url: 'https://example.org/vitrine/' });
    const { body } = await vitrine.request('GET', `${origin}/api/v1/openapi.json`);
    expect(body.servers).to.deep.equal([{ url: 'https://example.org/vitrine/api/v1' }]);
  });

  it('moves with what stands before /api/v1 in the base path', async () => {
    const { vitrine, origin } = await start({ base_path: '/keep/api/v1' });
    const statusOf = async (path: string) => (await vitrine.request('GET', origin + path)).status;
    expect(await statusOf('/keep/docs')).to.equal(200);
    expect(await statusOf('/keep/docs/start.js')).to.equal(200);
    expect(await statusOf('/docs')).to.equal(404);
    expect((await vitrine.request('GET', `${origin}/keep/docs/start.js`)).body).to.contain(
      '"../api/v1/openapi.json"',
    );
    expect((await vitrine.request('GET', `${origin}/keep/api/v1/openapi.json`)).body.servers).to.deep.equal([
      { url: '/keep/api/v1' },
    ]);
  });

  it('finds probes and metrics at both places', async () => {
    const { vitrine, origin } = await start({ base_path: '/keep/api/v1' });
    for (const path of ['/livez', '/readyz', '/metrics']) {
      expect((await vitrine.request('GET', origin + path)).status, path).to.equal(200);
      expect((await vitrine.request('GET', `${origin}/keep${path}`)).status, path).to.equal(200);
    }
  });

  it('stays at the root for a base path of another form', async () => {
    const { vitrine, origin } = await start({ base_path: '/algorithms' });
    expect((await vitrine.request('GET', `${origin}/docs`)).status).to.equal(200);
    expect((await vitrine.request('GET', `${origin}/docs/start.js`)).body).to.contain(
      '"../algorithms/openapi.json"',
    );
  });
});

describe('a file of the reference', () => {
  it('is served once it can be read, although it could not be before', async () => {
    let isFailing = true;
    const pages = createPages({ basePath: '/api/v1', rootPath: '', document: () => ({}) }, async () => {
      if (isFailing) throw new Error('EMFILE: too many open files');
      return Buffer.from('body {}');
    });
    const served = async () =>
      pages.file('swagger-ui.css').then(
        () => true,
        () => false,
      );
    expect(await served()).to.equal(false);
    isFailing = false;
    expect(await served()).to.equal(true);
  });
});

/** Where the links of a page lead that was asked for at a path. */
function linksOf(html: string, path: string): string[] {
  const links = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link!);
  return links.map((link) => new URL(link, `http://service${path}`).pathname);
}
