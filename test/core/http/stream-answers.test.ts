import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { rawContent, replyBytes, routesWith } from '../../../core/http/routing/route.ts';
import { until } from '../../support/until.ts';
import { openSocket, sendRaw, startServer, type LogLine, type TestServer } from './support.ts';

const get = (path: string): string => `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** Fails half-way. */
async function* broken(): AsyncGenerator<string> {
  yield 'begin';
  await pause(20);
  throw new Error('planted-internal-detail');
}

describe('a stream that is an answer', () => {
  let server: TestServer;
  let streams: Readable[];
  let goOn: () => void;

  /** Without end, and open until it is destroyed, as a file would be. */
  const endless = (): Readable => {
    const stream = new Readable({ read: () => void stream.push(Buffer.alloc(65_536)) });
    streams.push(stream);
    return stream;
  };
  const route = routesWith({});
  const answering = (
    path: string,
    stream: () => Readable,
    options: Parameters<typeof replyBytes>[1] = {},
    waits = false,
  ) =>
    route({
      method: 'GET',
      path,
      operationId: path.slice(1),
      summary: 'Answers a stream',
      access: 'public',
      answers: rawContent('application/octet-stream'),
      handle: async () => {
        if (waits) await new Promise<void>((resolve) => (goOn = resolve));
        return replyBytes(stream(), options);
      },
    });

  beforeEach(async () => {
    streams = [];
    server = await startServer([
      answering('/endless', endless),
      answering('/late', endless, {}, true),
      answering('/unchanged', endless, { status: 304 }),
      answering('/misheaded', endless, { headers: { 'X-Odd': 'line\nbreak' } }),
      answering('/broken', () => Readable.from(broken())),
    ]);
  });
  afterEach(() => server.close());

  const isClosed = (): Promise<void> =>
    until(() => streams.length > 0 && streams.every(({ closed }) => closed));
  const statusOf = async (route: string): Promise<unknown> => {
    const line = (): LogLine | undefined => server.lines.find((one) => one['route'] === `/api/v1${route}`);
    await until(() => line() !== undefined);
    return line()!['status'];
  };

  it('is closed when its client leaves while it is sent', async () => {
    const socket = await openSocket(server.port);
    socket.once('data', () => socket.destroy()).write(get('/endless'));
    await isClosed();
  });

  it('is closed and logged when its client disconnected before it began', async () => {
    const socket = await openSocket(server.port);
    socket.write(get('/late'));
    await until(() => server.inFlight() > 0);
    socket.destroy();
    await pause(50);
    goOn();
    await isClosed();
    expect(await statusOf('/late')).to.equal(499);
  });

  it('is closed when its client leaves while it waits for an earlier answer', async () => {
    const socket = await openSocket(server.port);
    socket.write(get('/late') + get('/endless'));
    await until(() => streams.length > 0);
    socket.destroy();
    await isClosed();
    goOn();
    expect(await statusOf('/late')).to.equal(499);
    await isClosed();
  });

  it('is closed when the answer has no content', async () => {
    expect((await server.request('GET', '/unchanged')).status).to.equal(304);
    expect((await server.request('HEAD', '/endless')).status).to.equal(200);
    await isClosed();
    expect(streams).to.have.length(2);
  });

  it('is closed when the head of the answer cannot be written', async () => {
    expect((await server.request('GET', '/misheaded')).status).to.equal(500);
    await isClosed();
  });

  it('breaks the connection when it fails half-way, and reveals no reason', async () => {
    const answer = await sendRaw(server.port, get('/broken'));
    expect(answer).to.contain('begin');
    expect(answer).not.to.contain('planted-internal-detail');
    expect(answer).not.to.match(/\r\n0\r\n\r\n$/);
    const failures = server.lines.filter(({ level }) => level === 'error');
    expect(failures.map(({ route: of, err }) => [of, (err as Error).message])).to.deep.equal([
      ['/api/v1/broken', 'planted-internal-detail'],
    ]);
  });

  it('is no failure in the log when its client leaves', async () => {
    const socket = await openSocket(server.port);
    socket.once('data', () => socket.destroy()).write(get('/endless'));
    await isClosed();
    expect(server.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });
});
