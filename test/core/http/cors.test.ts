import { expect } from 'chai';
import { ServerSettings } from '../../../core/http/server-settings.ts';
import { complaintsOf } from '../../support/complaints.ts';
import { things } from './routes-fixture.ts';
import { startServer, type TestServer } from './support.ts';

const page = 'https://page.example';

describe('cross-origin requests', () => {
  const servers: TestServer[] = [];
  const serving = async (origins: readonly string[]): Promise<TestServer> => {
    const server = await startServer(things, { settings: { cors_origins: [...origins] } });
    servers.push(server);
    return server;
  };
  after(() => Promise.all(servers.map((server) => server.close())));

  // `fetch` keeps these headers for browsers; node sends them.
  const preflight = (origin: string) => ({ Origin: origin, 'Access-Control-Request-Method': 'POST' });

  it('are not allowed by default', async () => {
    const server = await serving([]);
    const answer = await server.request('OPTIONS', '/things', { headers: preflight(page) });
    expect(answer.status).to.equal(405);
    expect(answer.headers.get('access-control-allow-origin')).to.equal(null);
  });

  it('are allowed to configured origins, without credentials', async () => {
    const server = await serving([page]);
    const answer = await server.request('GET', '/things', { headers: { Origin: page } });
    expect(answer.headers.get('access-control-allow-origin')).to.equal(page);
    expect(answer.headers.get('access-control-allow-credentials')).to.equal(null);
    expect(answer.headers.get('vary')?.split(', ')).to.include('Origin');
  });

  it('are answered before they are made', async () => {
    const server = await serving([page]);
    const answer = await server.request('OPTIONS', '/things', { headers: preflight(page) });
    expect(answer.status).to.equal(204);
    expect(answer.headers.get('access-control-allow-methods')).to.equal(
      'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    );
    expect(answer.headers.get('access-control-allow-headers')).to.contain('Authorization');
  });

  it('answers an OPTIONS that is no preflight with the other methods', async () => {
    const server = await serving([page]);
    const answer = await server.request('OPTIONS', '/things', {
      headers: { Origin: 'https://other.example' },
    });
    expect([answer.status, answer.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD, POST']);
  });

  it('may send every header that is read, and read every one that is answered', async () => {
    const server = await serving([page]);
    const asked = await server.request('OPTIONS', '/things', { headers: preflight(page) });
    expect(asked.headers.get('access-control-allow-headers')?.split(', ')).to.deep.equal([
      'Authorization',
      'Content-Type',
      'X-API-Key',
      'X-Request-Id',
      'traceparent',
      'If-None-Match',
    ]);
    const answer = await server.request('GET', '/things', { headers: { Origin: page } });
    expect(answer.headers.get('access-control-expose-headers')?.split(', ')).to.deep.equal([
      'X-Request-Id',
      'X-Call-Id',
      'ETag',
      'Link',
      'X-Total-Count',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'X-Vitrine-Route',
      'Deprecation',
      'Allow',
      'WWW-Authenticate',
      'Content-Disposition',
    ]);
  });

  it('may read refusals as well', async () => {
    const server = await serving([page]);
    const answer = await server.request('GET', '/nothing', { headers: { Origin: page } });
    expect(answer.status).to.equal(404);
    expect(answer.headers.get('access-control-allow-origin')).to.equal(page);
  });

  it('are not allowed to others', async () => {
    const server = await serving([page]);
    const answer = await server.request('GET', '/things', { headers: { Origin: 'https://evil.example' } });
    expect(answer.headers.get('access-control-allow-origin')).to.equal(null);
    expect(answer.headers.get('vary')?.split(', ')).to.include('Origin');
  });

  it('are allowed to all where the setting is *', async () => {
    const server = await serving(['*']);
    const answer = await server.request('GET', '/things', { headers: { Origin: page } });
    expect(answer.headers.get('access-control-allow-origin')).to.equal('*');
  });
});

describe('the origins of the settings', () => {
  const wrong: Readonly<Record<string, string>> = {
    'https://Example.org': 'write "https://example.org"',
    'https://example.org:443': 'write "https://example.org"',
    'http://example.org:x': 'which no browser sends (',
  };
  for (const [origin, way] of Object.entries(wrong)) {
    it(`stop the start with ${origin}, which would never match`, () => {
      expect(complaintsOf(ServerSettings, { cors_origins: ['https://page.example', origin] }))
        .to.include(`holds "${origin}"`)
        .and.to.include(way);
    });
  }

  it('stop the start with credentials, which are not printed', () => {
    expect(complaintsOf(ServerSettings, { cors_origins: ['https://me:p@ss@example.org'] }))
      .to.include('holds "https://********@example.org"')
      .and.not.to.include('ss@');
  });

  it('may be all of them, or have a port', () => {
    for (const origin of ['*', 'http://localhost:5173'])
      expect(complaintsOf(ServerSettings, { cors_origins: [origin] })).to.equal('');
  });
});
