import { expect } from 'chai';
import Type from 'typebox';
import { routesWith } from '../../../core/http/routing/route.ts';
import type { RequestLevel } from '../../../core/telemetry/settings.ts';
import { things } from './routes-fixture.ts';
import { startServer, type TestServer } from './support.ts';

const route = routesWith({});
const answers = Type.Object({});

const probe = route({
  method: 'GET',
  path: '/probe',
  operationId: 'probe',
  summary: 'Probes',
  access: 'anonymous',
  probe: true,
  answers,
  handle: () => ({}),
});

const failing = route({
  method: 'GET',
  path: '/failing',
  operationId: 'fail',
  summary: 'Fails',
  access: 'public',
  answers,
  handle: () => {
    throw new Error('boom');
  },
});

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
      trace_id: undefined,
    });
  });

  it('has lines at the level that is set, those of probes not above it', async () => {
    const levels = async (requestLevel: RequestLevel) => {
      const { request, lines, close } = await startServer([...things, probe], { requestLevel });
      for (const path of ['/things/7', '/probe']) await request('GET', path);
      await close();
      return lines.map(({ level }) => level);
    };
    expect(await levels('info')).to.deep.equal(['info', 'debug']);
    expect(await levels('debug')).to.deep.equal(['debug', 'debug']);
    expect(await levels('silent')).to.deep.equal([]);
  });

  it('counts requests, and has the cause of a failure, without lines for requests too', async () => {
    const silent = await startServer([failing], { requestLevel: 'silent' });
    await silent.request('GET', '/failing');
    await silent.close();
    expect(silent.lines.map(({ message }) => message)).to.deep.equal(['request failed unexpectedly']);
    expect((await silent.metrics.expose()).text).to.contain(
      '{method="GET",route="/api/v1/failing",status="500"} 1',
    );
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
