import { expect } from 'chai';
import { things } from './routes-fixture.ts';
import { startServer, type TestServer } from './support.ts';

describe('the log of requests', () => {
  let server: TestServer;
  before(async () => (server = await startServer(things)));
  after(() => server.close());
  beforeEach(() => (server.lines.length = 0));

  it('has one line for each, with the address of the client, the path and its template', async () => {
    const answer = await server.request('GET', '/things/7');
    const { ms, ...line } = server.lines[0]!;
    expect(server.lines).to.have.length(1);
    expect(ms).to.be.a('number');
    expect(line).to.deep.equal({
      level: 'info',
      message: 'request',
      request_id: answer.headers.get('x-request-id'),
      method: 'GET',
      route: '/api/v1/things/{thing_id}',
      path: '/api/v1/things/7',
      address: '127.0.0.1',
      status: 200,
      user: undefined,
    });
  });

  it('shows neither query nor body', async () => {
    await server.request('POST', '/things?a=planted', { json: { name: 'planted' } });
    expect(JSON.stringify(server.lines)).not.to.contain('planted');
  });

  it('cuts a path that is long', async () => {
    await server.request('GET', `/things/${'7'.repeat(2_000)}`);
    expect(server.lines[0]!['path']).to.have.length(500);
  });

  it('does not let clients invent routes or methods of metrics', async () => {
    await server.request('GET', '/invented');
    await server.request('PROPFIND', '/things');
    const { text } = await server.metrics.expose();
    expect(text).to.contain('{method="GET",route="none",status="404"}');
    expect(text).to.contain('{method="other",route="none",status="405"}');
    expect(text).not.to.contain('invented').and.not.to.contain('PROPFIND');
  });

  it('warns once a second that requests are refused, not once for each', async () => {
    const full = await startServer(things, { settings: { max_in_flight: 0 } });
    for (let sent = 0; sent < 3; sent += 1) await full.request('GET', '/things/7');
    await full.close();
    const warnings = full.lines.filter(({ level }) => level === 'warn');
    expect(warnings.map(({ code, refused }) => ({ code, refused }))).to.deep.equal([
      { code: 'overloaded', refused: 1 },
    ]);
  });
});
