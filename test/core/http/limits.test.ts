import { expect } from 'chai';
import { things } from './routes-fixture.ts';
import { openSocket, sendRaw, startServer, type TestServer } from './support.ts';

const MIB = 1024 * 1024;
const json = { 'Content-Type': 'application/json' };

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
