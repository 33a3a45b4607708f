import { once } from 'node:events';
import { expect } from 'chai';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { rawContent, replyBytes, routesWith } from '../../../core/http/route.ts';
import { jsonObject } from '../../../core/http/schemas.ts';
import { until } from '../../support/until.ts';
import { things } from './routes-fixture.ts';
import { openSocket, sendRaw, startServer, type TestServer } from './support.ts';

const route = routesWith({});

const routes = [
  ...things,
  route({
    method: 'GET',
    path: '/huge',
    operationId: 'huge',
    summary: 'More than the kernel buffers',
    access: 'public',
    answers: rawContent('application/octet-stream'),
    handle: () => replyBytes(Buffer.alloc(32 * 1024 * 1024)),
  }),
  route({
    method: 'GET',
    path: '/large',
    operationId: 'large',
    summary: 'Half of that',
    access: 'public',
    answers: rawContent('application/octet-stream'),
    handle: () => replyBytes(Buffer.alloc(16 * 1024 * 1024)),
  }),
  route({
    method: 'GET',
    path: '/long-text',
    operationId: 'longText',
    summary: 'Letters of three bytes each',
    access: 'public',
    answers: jsonObject(),
    handle: () => ({ text: '語'.repeat(8 * 1024 * 1024) }),
  }),
  route({
    method: 'GET',
    path: '/broken-stream',
    operationId: 'brokenStream',
    summary: 'A stream that fails half-way',
    access: 'public',
    answers: rawContent('text/plain'),
    handle: () =>
      replyBytes(
        Readable.from(
          (async function* () {
            yield 'begin';
            await pause(20);
            throw new Error('planted-internal-detail');
          })(),
        ),
      ),
  }),
  route({
    method: 'POST',
    path: '/sign-in',
    operationId: 'signIn',
    summary: 'Nobody is signed in yet',
    access: 'anonymous',
    body: jsonObject(),
    answers: jsonObject(),
    handle: () => ({}),
  }),
  route({
    method: 'GET',
    path: '/slow',
    operationId: 'slow',
    summary: 'Takes a moment',
    access: 'public',
    answers: jsonObject(),
    handle: async () => {
      await pause(300);
      return { done: true };
    },
  }),
];

const heedful = route({
  method: 'GET',
  path: '/heedful',
  operationId: 'heedful',
  summary: 'Never done, but knows when it is given up',
  access: 'public',
  answers: jsonObject(),
  handle: ({ request }) =>
    new Promise((_, reject) =>
      request.signal.addEventListener('abort', () => reject(request.signal.reason as Error)),
    ),
});

const heedless = route({
  method: 'GET',
  path: '/heedless',
  operationId: 'heedless',
  summary: 'Never done, whatever happens',
  access: 'public',
  answers: jsonObject(),
  handle: () => new Promise<never>(() => undefined),
});

const quick = {
  headers_timeout_ms: 300,
  request_timeout_ms: 500,
  keep_alive_ms: 200,
  response_timeout_ms: 300,
  check_interval_ms: 50,
};

/** Sends one byte of a body after the other until the other side closes. */
async function dripBody(port: number, path: string): Promise<{ answer: string; ms: number }> {
  const socket = await openSocket(port);
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString()));
  socket.write(
    `POST /api/v1${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`,
  );
  const drip = setInterval(() => socket.write('x'), 50);
  const ms = await lifetime(socket);
  clearInterval(drip);
  return { answer, ms };
}

/** Milliseconds until the other side closes. */
function lifetime(socket: Socket): Promise<number> {
  const began = performance.now();
  return new Promise((resolve) => {
    socket.on('close', () => resolve(performance.now() - began)).on('error', () => undefined);
  });
}

describe('slow clients', () => {
  let server: TestServer;
  before(async () => (server = await startServer(routes, { settings: quick })));
  after(() => server.close());

  it('are told and cut when their headers drip', async () => {
    const answer = await sendRaw(server.port, 'GET /api/v1/things HTTP/1.1\r\nX-A: ', 3000);
    expect(answer).to.match(/^HTTP\/1\.1 408 /);
    expect(answer).to.contain('"code":"request_timeout"');
  });

  it('are cut when the whole request has less time than headers alone would have', async () => {
    const settings = { ...quick, headers_timeout_ms: 10_000 };
    const hasty = await startServer(routes, { settings });
    const answer = await sendRaw(hasty.port, 'GET /api/v1/things HTTP/1.1\r\nX-A: ', 5000);
    await hasty.close();
    expect(answer).to.match(/^HTTP\/1\.1 408 /);
  });

  it('are told and cut when their body drips', async () => {
    const { answer, ms } = await dripBody(server.port, '/things');
    expect(answer).to.match(/^HTTP\/1\.1 408 /);
    expect(ms).to.be.lessThan(5000);
  });

  it('are cut earlier when they are signing in', async () => {
    const patient = await startServer(routes, {
      settings: { ...quick, request_timeout_ms: 20_000, anonymous_body_timeout_ms: 200 },
    });
    const { answer, ms } = await dripBody(patient.port, '/sign-in');
    await patient.close();
    expect(answer).to.match(/^HTTP\/1\.1 408 /);
    expect(answer).to.contain('Connection: close').and.contain('did not arrive within 0.2 s');
    expect(ms).to.be.lessThan(2500);
  });

  it('are not those whose body came in time while the process stood still', async () => {
    const patient = await startServer(routes, { settings: { anonymous_body_timeout_ms: 300 } });
    const socket = await openSocket(patient.port);
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    const gone = lifetime(socket);
    socket.write(
      'POST /api/v1/sign-in HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n',
    );
    await pause(50);
    await turn();
    socket.write('{}');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
    await gone;
    await patient.close();
    expect(answer)
      .to.match(/^HTTP\/1\.1 \d/)
      .and.not.contain(' 408 ');
  });

  it('are cut when they send nothing at all', async () => {
    const socket = await openSocket(server.port);
    socket.resume();
    expect(await lifetime(socket)).to.be.lessThan(5000);
  });

  it('are cut when they do not read their answer', async () => {
    const socket = await openSocket(server.port);
    socket.pause();
    socket.write('GET /api/v1/huge HTTP/1.1\r\nHost: x\r\n\r\n');
    await pause(1000);
    let received = 0;
    const gone = lifetime(socket);
    socket.on('data', (chunk) => (received += chunk.length)).resume();
    await gone;
    expect(received).to.be.lessThan(32 * 1024 * 1024);
  });

  it('are served when they read at a good pace', async () => {
    // The deadline of the other tests here is too short for a busy machine to send so much.
    const patient = await startServer(routes, { settings: { ...quick, response_timeout_ms: 10_000 } });
    const response = await fetch(`${patient.url}/api/v1/huge`);
    expect((await response.arrayBuffer()).byteLength).to.equal(32 * 1024 * 1024);
    await patient.close();
  });

  it('lose an idle connection after the keep-alive time', async () => {
    const socket = await openSocket(server.port);
    socket.resume();
    socket.write('GET /api/v1/things HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await lifetime(socket)).to.be.within(100, 2500);
  });
});

describe('answers that wait for their clients', () => {
  const MIB = 1024 * 1024;
  const get = (path: string, last = ''): string => `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\n${last}\r\n`;

  /** A client that reads when it is told to. */
  class Reluctant {
    readonly #socket: Socket;
    readonly #gone: Promise<number>;
    received = 0;

    static async ask(requests: string): Promise<Reluctant> {
      const socket = (await openSocket(server.port)).pause();
      socket.write(requests);
      await pause(500);
      return new Reluctant(socket);
    }

    private constructor(socket: Socket) {
      this.#socket = socket;
      this.#gone = lifetime(socket);
      socket.on('data', (chunk) => (this.received += chunk.length)).pause();
    }

    async read(bytes: number): Promise<void> {
      this.#socket.resume();
      await until(() => this.received >= bytes);
      this.#socket.pause();
      await pause(500);
    }

    async readAll(): Promise<number> {
      this.#socket.resume();
      await this.#gone;
      return this.received;
    }
  }

  let server: TestServer;
  before(async () => (server = await startServer(routes, { settings: { answer_memory: 84 * MIB } })));
  after(() => server.close());

  it('are given up when they are too much: large ones of which nothing was read for longest', async () => {
    const last = 'Connection: close\r\n';
    const small = await Reluctant.ask(get('/large', last));
    const reading = await Reluctant.ask(get('/huge', last));
    const stalled = await Reluctant.ask(get('/huge', last));
    await reading.read(2 * MIB);
    const latest = await Reluctant.ask(get('/huge', last));
    const prompt = await server.request('GET', '/things');
    expect(prompt.status).to.equal(200);
    expect(await stalled.readAll()).to.be.lessThan(32 * MIB);
    expect(await small.readAll()).to.be.greaterThan(16 * MIB);
    expect(await reading.readAll()).to.be.greaterThan(32 * MIB);
    expect(await latest.readAll()).to.be.greaterThan(32 * MIB);
  });

  it('count when they wait for earlier answers on their connection, too', async () => {
    const greedy = await Reluctant.ask(get('/huge').repeat(3) + get('/huge', 'Connection: close\r\n'));
    expect(await greedy.readAll()).to.be.lessThan(128 * MIB);
  });

  it('count in bytes, not in letters, and arrive as they are', async () => {
    const answer = await server.request('GET', '/long-text');
    expect([answer.status, answer.body.text === '語'.repeat(8 * MIB)]).to.deep.equal([200, true]);
    const last = 'Connection: close\r\n';
    const clients: Reluctant[] = [];
    for (let count = 0; count < 4; count += 1) clients.push(await Reluctant.ask(get('/long-text', last)));
    const received = [];
    for (const client of clients) received.push(await client.readAll());
    expect(received.filter((bytes) => bytes < 24 * MIB)).to.have.length(1);
  });
});

describe('requests that are not HTTP', () => {
  let server: TestServer;
  before(async () => (server = await startServer(routes)));
  after(() => server.close());

  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['garbage', '\x00\x01\x02\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01', /^HTTP\/1\.1 400 /],
    ['headers beyond 16 KiB', `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, /^HTTP\/1\.1 431 /],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      /^HTTP\/1\.1 400 /,
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      /^HTTP\/1\.1 400 /,
    ],
    ['a negative length', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', /^HTTP\/1\.1 400 /],
  ];
  for (const [what, bytes, status] of cases) {
    it(`are answered with a problem document: ${what}`, async () => {
      const answer = await sendRaw(server.port, bytes);
      expect(answer).to.match(status);
      expect(answer).to.contain('application/problem+json');
    });
  }

  it('do not include one with an expectation that nobody knows', async () => {
    const answer = await sendRaw(
      server.port,
      'GET /api/v1/things HTTP/1.1\r\nHost: x\r\nExpect: magic\r\nConnection: close\r\n\r\n',
    );
    expect(answer).to.match(/^HTTP\/1\.1 200 /);
  });

  it('break the connection when a stream fails half-way, and tell nothing of it', async () => {
    const answer = await sendRaw(server.port, 'GET /api/v1/broken-stream HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(answer).to.contain('begin');
    expect(answer).not.to.contain('planted-internal-detail');
    expect(answer).not.to.match(/\r\n0\r\n\r\n$/);
  });
});

describe('closing the server', () => {
  const askThings = 'GET /api/v1/things HTTP/1.1\r\nHost: x\r\n\r\n';

  it('lets requests in flight finish, tells clients to leave, and accepts nobody new', async () => {
    const server = await startServer(routes);
    const slow = server.request('GET', '/slow');
    await until(() => server.inFlight() >= 1);
    const closed = server.close(5000);
    const late = await server.request('GET', '/things').catch((error: unknown) => error);
    const answer = await slow;
    await closed;
    expect(late).to.be.instanceOf(Error);
    expect(answer.body).to.deep.equal({ done: true });
    expect(answer.headers.get('connection')).to.equal('close');
  });

  /** A connection on which a request was answered, and what came on it since. */
  async function usedConnection(port: number): Promise<{ socket: Socket; received: () => string }> {
    const socket = await openSocket(port);
    socket.write(askThings);
    await once(socket, 'data');
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    return { socket, received: () => text };
  }

  it('serves what comes on open connections a moment longer, and says that it was the last', async () => {
    const server = await startServer(routes);
    const { socket, received } = await usedConnection(server.port);
    const gone = lifetime(socket);
    const closed = server.close(5000);
    await pause(50);
    socket.write(askThings);
    await Promise.all([gone, closed]);
    expect(received()).to.match(/^HTTP\/1\.1 200 /);
    expect(received()).to.contain('Connection: close');
  });

  it('serves what came on them while the process stood still', async () => {
    const server = await startServer(routes);
    const { socket, received } = await usedConnection(server.port);
    const gone = lifetime(socket);
    const closed = server.close(5000);
    socket.write(askThings);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    await Promise.all([gone, closed]);
    expect(received()).to.match(/^HTTP\/1\.1 200 /);
  });

  it('gives up at the deadline what is left, which may say so', async () => {
    const server = await startServer([...routes, heedful]);
    const patient = server.request('GET', '/heedful');
    await until(() => server.inFlight() >= 1);
    const closed = server.close(1000);
    const { status, body, headers } = await patient;
    await closed;
    expect([status, body.code]).to.deep.equal([503, 'not_ready']);
    expect(body.detail).to.equal('The service stopped before it was done with this request.');
    expect([headers.get('connection'), headers.get('retry-after')]).to.deep.equal(['close', '1']);
  });

  it('cuts what does not heed that', async () => {
    const server = await startServer([...routes, heedless]);
    const cut = server.request('GET', '/heedless').catch((error: unknown) => error);
    await until(() => server.inFlight() >= 1);
    const began = performance.now();
    await server.close(50);
    expect(performance.now() - began).to.be.lessThan(1500);
    expect(await cut).to.be.instanceOf(Error);
  });

  it('may be asked for twice', async () => {
    const server = await startServer(routes);
    await Promise.all([server.close(), server.close()]);
    expect(server.inFlight()).to.equal(0);
  });

  it('tells clients to leave as soon as the service is not ready', async () => {
    let ready = true;
    const server = await startServer(routes, { ready: () => ready });
    const before = await server.request('GET', '/things');
    ready = false;
    const after = await server.request('GET', '/things');
    await server.close();
    expect(before.headers.get('connection')).to.equal('keep-alive');
    expect(after.headers.get('connection')).to.equal('close');
    expect(after.status).to.equal(200);
  });
});

describe('listening', () => {
  it('fails with a clear sentence when the port is taken', async () => {
    const server = await startServer(routes);
    const failure = await startServer(routes, { settings: { port: server.port } }).catch(
      (error: Error) => error,
    );
    await server.close();
    expect((failure as Error).message).to.match(/port \d+: the port is in use/);
  });
});
