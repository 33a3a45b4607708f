import { expect } from 'chai';
import { createBackendClient } from '../../../core/egress/create-backend-client.ts';
import { failureOf, resolverFor, startHttpServer, type TestServer } from './servers.ts';
import { refusedForms } from './url-forms.ts';

describe('the client for servers of the operator', () => {
  let server: TestServer;
  const client = createBackendClient({ lookup: resolverFor(['127.0.0.1']) });

  before(async () => {
    server = await startHttpServer((request, response) => {
      if (request.url === '/moved') response.writeHead(301, { location: '/elsewhere' });
      response.end(request.method);
    });
  });

  after(async () => {
    await client.close();
    await server.stop();
  });

  const ask = (url: string, more: { method?: string; maxBytes?: number } = {}) =>
    client.request({ url, method: 'GET', timeoutMs: 1_000, maxBytes: 1_000, ...more });

  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    it(`sends ${method}`, async () => {
      const { body } = await ask(`http://127.0.0.1:${server.port}/`, { method });
      expect(body.toString()).to.equal(method);
    });
  }

  it('reaches private names, which is where operators keep their servers', async () => {
    expect(await ask(`http://gitea.lan:${server.port}/`)).to.have.property('status', 200);
  });

  it('returns a redirect and does not follow it', async () => {
    const { status, headers } = await ask(`http://127.0.0.1:${server.port}/moved`);
    expect([status, headers['location']]).to.deep.equal([301, '/elsewhere']);
  });

  it('does not advise operators to ask the operator when a name leads to metadata', async () => {
    const misled = createBackendClient({ lookup: resolverFor(['169.254.10.5']) });
    const failure = await failureOf(
      misled.request({ url: 'http://llm.lan/', timeoutMs: 1_000, maxBytes: 1_000 }),
    );
    await misled.close();
    expect(failure?.failure).to.equal('egress_denied');
    expect(failure?.message).not.to.contain('ask the operator');
  });

  it('bounds the answer', async () => {
    const failure = await failureOf(ask(`http://127.0.0.1:${server.port}/`, { maxBytes: 2 }));
    expect(failure?.failure).to.equal('bad_response');
  });

  const metadata = refusedForms.filter((form) =>
    /169|metadata|instance|fe80|ec2|100\.100|168\.63|a9fe/.test(form),
  );

  it('is tried with at least fifteen ways to metadata', () => {
    expect(metadata).to.have.length.of.at.least(15);
  });

  for (const form of metadata) {
    it(`refuses ${form}`, async () => {
      expect((await failureOf(ask(form)))?.failure).to.equal('egress_denied');
    });

    it(`refuses to save ${form} with 422`, () => {
      expect(() => client.check(form))
        .to.throw()
        .with.property('status', 422);
    });
  }

  for (const form of ['http://gitea.lan:3000', 'https://10.0.0.5/git', 'http://127.0.0.1:3000/']) {
    it(`lets ${form} be saved`, () => {
      expect(() => client.check(form)).to.not.throw();
    });
  }

  it('refuses a name that resolves to metadata', async () => {
    const rebound = createBackendClient({
      lookup: resolverFor(['169.254.169.254']),
    });
    const request = { url: 'http://gitea.lan/', method: 'GET', timeoutMs: 1_000, maxBytes: 1_000 };
    const failure = await failureOf(rebound.request(request));
    await rebound.close();
    expect(failure?.failure).to.equal('egress_denied');
  });
});
