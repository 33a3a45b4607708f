import { expect } from 'chai';
import { routesWith } from '../../../core/http/route.ts';
import { jsonObject } from '../../../core/http/schemas.ts';
import { things } from './routes-fixture.ts';
import { openSocket, sendRaw, startServer, type TestServer } from './support.ts';

const MIB = 1024 * 1024;
const json = { 'Content-Type': 'application/json' };
const route = routesWith({});

const headOf = (path: string): string =>
  `POST /api/v1${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('limits of bodies', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer(things, {
      settings: { body_limit: 1024, large_body_limit: 4096, check_interval_ms: 50 },
    });
  });
  after(() => server.close());

  const body = (size: number): string => `{"input":{"a":"${'x'.repeat(size - 18)}"}}`;

  it('accept a body of exactly the limit', async () => {
    expect(
      (await server.request('POST', '/things/call', { body: body(4096), headers: json })).status,
    ).to.equal(200);
  });

  it('refuse one byte more, close the connection and name the limit', async () => {
    const answer = await server.request('POST', '/things/call', { body: body(4097), headers: json });
    expect(answer.status).to.equal(413);
    expect(answer.body.detail).to.contain('4096');
  });

  it('are smaller for operations that carry no data', async () => {
    const answer = await server.request('POST', '/things', { body: body(1025), headers: json });
    expect(answer.status).to.equal(413);
  });

  it('hold for bodies of unannounced length', async () => {
    const head = `${headOf('/things')}Transfer-Encoding: chunked\r\n\r\n`;
    const chunk = `400\r\n${'x'.repeat(1024)}\r\n`;
    const answer = await sendRaw(server.port, head + chunk.repeat(100));
    expect(answer).to.match(/^HTTP\/1\.1 413 /);
    expect(answer).to.contain('Connection: close');
  });

  it('let a client that sends everything before it reads see the refusal', async () => {
    const head = `POST /api/v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: ${64 * MIB}\r\n\r\n`;
    const socket = (await openSocket(server.port)).pause();
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.write(Buffer.concat([Buffer.from(head), Buffer.alloc(64 * MIB, 'x')]), () => resolve());
    });
    const answer = (await socket.resume().take(1).toArray())[0] as Buffer;
    socket.destroy();
    expect(answer.toString()).to.match(/^HTTP\/1\.1 415 /);
  });

  it('do not wait for an announced body that is too large', async () => {
    const head = `${headOf('/things')}Content-Length: 99999999\r\n\r\n`;
    const answer = await sendRaw(server.port, head);
    expect(answer).to.match(/^HTTP\/1\.1 413 /);
    expect(answer).to.contain('Connection: close');
  });

  it('refuse large bodies when too many are arriving, spare small ones, and recover', async () => {
    const crowded = await startServer(things, { settings: { body_memory: 300_000 } });
    const post = (size: number) =>
      crowded.request('POST', '/things/call', { body: body(size), headers: json });
    const slow = await Promise.all(Array.from({ length: 3 }, () => openSocket(crowded.port)));
    for (const socket of slow) {
      socket.write(`${headOf('/things/call')}Content-Length: 100000\r\n\r\n${'x'.repeat(99_999)}`);
    }
    await pause(50);
    const [large, small] = [await post(100_000), await post(50_000)];
    for (const socket of slow) socket.destroy();
    await pause(50);
    const later = await post(100_000);
    await crowded.close();
    expect([large.status, small.status, later.status]).to.deep.equal([503, 200, 200]);
  });

  it('leave the connection usable after a small body that nobody reads', async () => {
    const request = 'POST /api/v1/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello';
    const answer = await sendRaw(server.port, request + request, 200);
    expect(answer.match(/HTTP\/1\.1 404 /g)).to.have.length(2);
  });
});

describe('the limit of requests in flight', () => {
  let server: TestServer;
  let release: () => void;
  before(async () => {
    const gate = new Promise<void>((resolve) => (release = resolve));
    const hold = route({
      method: 'GET',
      path: '/hold',
      operationId: 'hold',
      summary: 'Waits',
      access: 'public',
      answers: jsonObject(),
      handle: async () => {
        await gate;
        return {};
      },
    });
    const probe = route({
      method: 'GET',
      path: '/health',
      operationId: 'health',
      summary: 'Tells that it lives',
      access: 'anonymous',
      probe: true,
      answers: jsonObject(),
      handle: () => ({ status: 'healthy' }),
    });
    server = await startServer([...things, hold, probe], { settings: { max_in_flight: 2 } });
  });
  after(() => server.close());

  it('answers at once that there is too much, says when to come back, spares probes, and recovers', async () => {
    const held = [server.request('GET', '/hold'), server.request('GET', '/hold')];
    while (server.inFlight() < 2) await pause(5);
    const refused = await server.request('GET', '/things');
    const probed = await server.request('GET', '/health');
    release();
    expect(refused.status).to.equal(503);
    expect(refused.body.code).to.equal('overloaded');
    expect(refused.headers.get('retry-after')).to.equal('1');
    expect(probed.status).to.equal(200);
    expect((await Promise.all(held)).map(({ status }) => status)).to.deep.equal([200, 200]);
    expect((await server.request('GET', '/things')).status).to.equal(200);
    expect(server.inFlight()).to.equal(0);
  });

  it('refuses with a whole problem document that names path and request, and no body for HEAD', async () => {
    const full = await startServer([...things], { settings: { max_in_flight: 0 } });
    const refused = await full.request('GET', '/things/7?a=1');
    const head = await full.request('HEAD', '/things/7');
    const { text } = await full.metrics.expose();
    await full.close();
    expect(refused.headers.get('content-type')).to.equal('application/problem+json');
    expect(refused.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(refused.body).to.deep.include({
      type: 'urn:vitrine:problem:overloaded',
      status: 503,
      instance: '/api/v1/things/7',
      request_id: refused.headers.get('x-request-id'),
    });
    expect(head.status).to.equal(503);
    expect(text).to.match(/^http_server_refused_requests_total 2$/m);
  });

  it('echoes the id of a refused request, and lets the pages of configured origins read the refusal', async () => {
    const settings = { max_in_flight: 0, cors_origins: ['https://page.example'] };
    const full = await startServer(things, { settings });
    const headers = { 'X-Request-Id': 'mine-1', Origin: 'https://page.example' };
    const refused = await full.request('GET', '/things/7', { headers });
    await full.close();
    expect(refused.status).to.equal(503);
    expect(refused.headers.get('x-request-id')).to.equal('mine-1');
    expect(refused.headers.get('access-control-allow-origin')).to.equal('https://page.example');
  });

  it('lets a refused connection rest before it reads its next request, and answers it then', async () => {
    const full = await startServer(things, { settings: { max_in_flight: 0 } });
    const socket = await openSocket(full.port);
    const request = 'GET /api/v1/things HTTP/1.1\r\nHost: x\r\n\r\n';
    const answered = (): Promise<number> =>
      new Promise((resolve) => socket.once('data', () => resolve(performance.now())));
    socket.write(request);
    const first = await answered();
    await pause(20);
    socket.write(request);
    const second = await answered();
    socket.destroy();
    await full.close();
    expect(second - first).to.be.within(80, 1000);
  });

  it('does not count those whose bodies are still arriving', async () => {
    const head = `${headOf('/things')}Content-Length: 100\r\n\r\n`;
    const slow = await Promise.all(Array.from({ length: 5 }, () => openSocket(server.port)));
    for (const socket of slow) socket.write(head);
    await pause(50);
    expect((await server.request('GET', '/things')).status).to.equal(200);
    for (const socket of slow) socket.destroy();
    await pause(50);
    expect(server.inFlight()).to.equal(0);
  });
});

describe('a client that leaves before its body is read', () => {
  it('is not waited for', async () => {
    let verified: () => void = () => undefined;
    const verifying = new Promise<undefined>((resolve) => (verified = () => resolve(undefined)));
    const server = await startServer(things, { verifiers: [{ name: 'slow', verify: () => verifying }] });
    const socket = await openSocket(server.port);
    socket.write(`${headOf('/things')}Content-Length: 100\r\n\r\n{`);
    while (server.inFlight() < 1) await pause(5);
    socket.destroy();
    await pause(30);
    verified();
    await pause(30);
    const lines = server.lines.map(({ status }) => status);
    await server.close();
    expect(lines).to.deep.equal([499]);
  });
});
