import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
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
        '/monitoring/health',
        '/monitoring/performance/algorithm/{algorithm_id}',
        '/openapi.json',
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

    it('serves a page whose policy allows nothing inline and nothing from elsewhere', async () => {
      const { status, headers, body } = await page('/docs');
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal('text/html; charset=utf-8');
      expect(headers['content-security-policy'])
        .to.contain("default-src 'none'")
        .and.not.to.contain('unsafe');
      expect(body).not.to.match(/<script>|<style|https?:\/\/| on[a-z]+=/);
    });

    it('serves every file that the page refers to', async () => {
      const { body } = await page('/docs');
      const files = [...(body as string).matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path!);
      const answers = await Promise.all(files.map((path) => page(path)));
      expect(files).to.have.length(4);
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
      expect(answers.map(({ headers }) => headers['content-type'])).to.have.members([
        'text/css; charset=utf-8',
        'image/png',
        'text/javascript; charset=utf-8',
        'text/javascript; charset=utf-8',
      ]);
    });

    it('points the page at the document', async () => {
      expect((await page('/docs/start.js')).body).to.contain('"url":"/api/v1/openapi.json"');
    });

    it('is dark where the reader wants it dark, also when that changes', async () => {
      const { body } = await page('/docs/start.js');
      const preference = Object.assign(new EventTarget(), { matches: true });
      const classes = new Set<string>();
      const toggle = (name: string, on: boolean) => (on ? classes.add(name) : classes.delete(name));
      runInNewContext(body, {
        SwaggerUIBundle: () => undefined,
        matchMedia: (query: string) => (query === '(prefers-color-scheme: dark)' ? preference : undefined),
        document: { documentElement: { classList: { toggle } } },
      });
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
