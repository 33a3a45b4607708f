import { expect } from 'chai';
import { freePort } from '../support/free-port.ts';
import { nginxSnippets, nginxVersion, startNginx } from '../support/nginx.ts';
import { startVitrine, type Vitrine } from '../support/vitrine.ts';

const WAYS = [
  { way: 'the proxy strips the prefix', index: 1, target: 'http://127.0.0.1:3000/', prefix: '/vitrine' },
  { way: 'the service has the prefix', index: 2, target: 'http://127.0.0.1:3000', prefix: '' },
] as const;

describe('nginx in front of the service, as the page on deployment says', () => {
  const snippets = nginxSnippets();

  it('is one block at the root, and one for each way below a path', () => {
    expect(snippets).to.have.length(3);
    expect(snippets[0]).to.contain('location / {');
  });

  for (const { way, index, target, prefix } of WAYS) {
    it(`hands requests on in the form that the service expects when ${way}`, () => {
      expect(snippets[index]).to.contain(`proxy_pass ${target};`);
    });

    describe(`when ${way} (where nginx is on the PATH, or NGINX names it)`, () => {
      let vitrine: Vitrine;
      let nginx: Awaited<ReturnType<typeof startNginx>>;
      let site: string;

      before(async function () {
        if (nginxVersion() === undefined) this.skip();
        const [port, servicePort] = [await freePort(), await freePort()];
        site = `http://127.0.0.1:${port}`;
        vitrine = await startVitrine('sqlite', {
          plugins: ['reference', 'monitoring'],
          settings: {
            server: {
              port: servicePort,
              public_url: site + prefix,
              base_path: prefix === '' ? '/vitrine/api/v1' : '/api/v1',
            },
          },
        });
        nginx = await startNginx(snippets[index]!, { port, servicePort });
      });
      after(async () => {
        await nginx?.stop();
        await vitrine?.stop();
      });

      for (const page of ['/vitrine/docs', '/vitrine/docs/']) {
        it(`shows ${page} with every file of it`, async () => {
          const { status, body } = await vitrine.request('GET', site + page);
          expect(status).to.equal(200);
          const links = [...(body as string).matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link!);
          expect(links).to.have.length(4);
          for (const link of links) {
            expect((await vitrine.request('GET', new URL(link, site + page).href)).status, link).to.equal(
              200,
            );
          }
        });
      }

      it('leads from the page to the document, and from the document to the operations', async () => {
        const script = `${site}/vitrine/docs/start.js`;
        const { body } = await vitrine.request('GET', script);
        const [, link] = /new URL\("([^"]+)"/.exec(body as string)!;
        const document = await vitrine.request('GET', new URL(link!, script).href);
        expect(document.status).to.equal(200);
        const [{ url }] = document.body.servers;
        expect(url).to.equal(`${site}/vitrine/api/v1`);
        expect((await vitrine.request('GET', `${url}/health`)).status).to.equal(200);
      });

      it('answers probes, and keeps the metrics inside', async () => {
        expect((await vitrine.request('GET', `${site}/vitrine/livez`)).status).to.equal(200);
        expect((await vitrine.request('GET', `${site}/vitrine/readyz`)).status).to.equal(200);
        for (const path of ['/vitrine/metrics', '/vitrine/metrics/']) {
          const { status, body } = await vitrine.request('GET', site + path);
          expect(status).to.equal(404);
          expect(body).to.contain('nginx');
        }
      });
    });
  }
});
