import { expect } from 'chai';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { rawContent, replyBytes, routesWith } from '../../../core/http/routing/route.ts';
import { systemClock } from '../../../core/support/clock.ts';
import { until } from '../../support/until.ts';
import { jsonObject } from '../../../core/http/validation/schemas.ts';
import { huge, large, MIB, things } from './routes-fixture.ts';
import { lifetime, openSocket, startServer, type TestServer } from './support.ts';

const route = routesWith({});

const routes = [
  ...things,
  huge,
  large,
  route({
    method: 'GET',
    path: '/long-text',
    operationId: 'longText',
    summary: 'Letters of three bytes each',
    access: 'public',
    answers: jsonObject(),
    handle: () => ({ text: '語'.repeat(8 * MIB) }),
  }),
];

describe('answers that wait for their clients', () => {
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

    async readAll(): Promise<number> {
      this.#socket.resume();
      await this.#gone;
      return this.received;
    }
  }

  let server: TestServer;
  before(async () => (server = await startServer(routes, { bounds: { answerMemory: 84 * MIB } })));
  after(() => server.close());

  it('are dropped when they take too much memory, the longest waiting first', async () => {
    const last = 'Connection: close\r\n';
    const oldest = await Reluctant.ask(get('/huge', last));
    const older = await Reluctant.ask(get('/large', last));
    const old = await Reluctant.ask(get('/huge', last));
    const latest = await Reluctant.ask(get('/huge', last));
    const prompt = await server.request('GET', '/things');
    expect(prompt.status).to.equal(200);
    expect(await oldest.readAll()).to.be.lessThan(32 * MIB);
    expect(await older.readAll()).to.be.greaterThan(16 * MIB);
    expect(await old.readAll()).to.be.greaterThan(32 * MIB);
    expect(await latest.readAll()).to.be.greaterThan(32 * MIB);
  });

  it('also count while they wait for earlier answers on their connection', async () => {
    const greedy = await Reluctant.ask(get('/huge').repeat(3) + get('/huge', 'Connection: close\r\n'));
    expect(await greedy.readAll()).to.be.lessThan(128 * MIB);
  });

  it('are counted in bytes, not characters, and arrive unchanged', async () => {
    const answer = await server.request('GET', '/long-text');
    expect([answer.status, answer.body.text === '語'.repeat(8 * MIB)]).to.deep.equal([200, true]);
    const last = 'Connection: close\r\n';
    const clients: Reluctant[] = [];
    for (let count = 0; count < 4; count += 1) clients.push(await Reluctant.ask(get('/long-text', last)));
    // On a busy machine the last of these answers takes a while to be made.
    await pause(1500);
    const received = [];
    for (const client of clients) received.push(await client.readAll());
    expect(received.filter((bytes) => bytes < 24 * MIB)).to.have.length(1);
  });
});

describe('an answer that takes longer than its deadline', () => {
  let now = 0;
  let server: TestServer;
  const endless = route({
    method: 'GET',
    path: '/endless',
    operationId: 'endless',
    summary: 'Goes on for ever',
    access: 'public',
    answers: rawContent('application/octet-stream'),
    handle: () => {
      const stream: Readable = new Readable({ read: () => void stream.push(Buffer.alloc(65_536)) });
      return replyBytes(stream);
    },
  });
  before(async () => {
    const clock = { ...systemClock, elapsed: () => now };
    server = await startServer([endless], { clock, bounds: { answerTimeoutMs: 60_000 } });
  });
  after(() => server.close());

  /** Two checks look at the answers within this time. */
  const checked = (): Promise<void> => pause(600);

  it('goes on while its client reads, and ends when it reads no more', async () => {
    const socket = await openSocket(server.port);
    const gone = lifetime(socket);
    let received = 0;
    socket.on('data', (chunk) => (received += chunk.length));
    socket.write('GET /api/v1/endless HTTP/1.1\r\nHost: x\r\n\r\n');
    for (let minute = 0; minute < 3; minute += 1) {
      const before = received;
      await until(() => received - before > 32 * MIB);
      socket.pause();
      await checked();
      now += 50_000;
      await checked();
      expect(socket.closed, `minute ${minute}`).to.equal(false);
      socket.resume();
    }
    socket.pause();
    await checked();
    now += 70_000;
    await checked();
    socket.resume();
    await gone;
  });
});
