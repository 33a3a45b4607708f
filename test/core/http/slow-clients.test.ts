import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { routesWith } from '../../../core/http/routing/route.ts';
import { jsonObject } from '../../../core/http/validation/schemas.ts';
import { huge, MIB, things } from './routes-fixture.ts';
import { lifetime, openSocket, sendRaw, startServer, type TestServer } from './support.ts';

const route = routesWith({});

const routes = [
  ...things,
  huge,
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
];

const quick = {
  request_timeout_ms: 500,
  keep_alive_ms: 200,
};
const bounds = { headersTimeoutMs: 300, checkIntervalMs: 50, answerTimeoutMs: 300 };

const BODY = 100;

/** Sends one byte of a body after the other until the other side closes; answers how many were sent by then. */
async function dripBody(port: number, path: string): Promise<{ answer: string; sent: number }> {
  const socket = await openSocket(port);
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString()));
  socket.write(
    `POST /api/v1${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${BODY}\r\n\r\n`,
  );
  let sent = 0;
  const drip = setInterval(() => socket.write('x', () => (sent += 1)), 50);
  await lifetime(socket);
  clearInterval(drip);
  return { answer, sent };
}

/** The one of some connections that is closed first; each is to have been opened before the next. */
function firstClosed<Name extends string>(sockets: Readonly<Record<Name, Socket>>): Promise<string> {
  return Promise.race(
    Object.entries<Socket>(sockets).map(async ([name, socket]) => {
      await lifetime(socket.resume());
      return name;
    }),
  );
}

describe('slow clients', () => {
  let server: TestServer;
  before(async () => (server = await startServer(routes, { settings: quick, bounds })));
  after(() => server.close());

  it('are answered 408 and disconnected when their headers arrive too slowly', async () => {
    const answer = await sendRaw(server.port, 'GET /api/v1/things HTTP/1.1\r\nX-A: ', 3000);
    expect(answer).to.match(/^HTTP\/1\.1 408 /);
    expect(answer).to.contain('"code":"request_timeout"');
  });

  it('are disconnected when the whole request has less time than headers alone would have', async () => {
    const hasty = await startServer(routes, {
      settings: quick,
      bounds: { ...bounds, headersTimeoutMs: 10_000 },
    });
    const answer = await sendRaw(hasty.port, 'GET /api/v1/things HTTP/1.1\r\nX-A: ', 5000);
    await hasty.close();
    expect(answer).to.match(/^HTTP\/1\.1 408 /);
  });

  it('are answered 408 and disconnected when their body arrives too slowly', async () => {
    const { answer, sent } = await dripBody(server.port, '/things');
    expect(answer).to.match(/^HTTP\/1\.1 408 /);
    expect(sent).to.be.below(BODY);
  });

  it('are disconnected earlier while they sign in', async () => {
    const patient = await startServer(routes, {
      settings: { ...quick, request_timeout_ms: 20_000 },
      bounds: { ...bounds, anonymousBodyTimeoutMs: 200 },
    });
    const { answer, sent } = await dripBody(patient.port, '/sign-in');
    await patient.close();
    expect(answer).to.match(/^HTTP\/1\.1 408 /);
    expect(answer).to.contain('Connection: close').and.contain('did not arrive within 0.2 s');
    expect(sent).to.be.below(BODY);
  });

  it('do not include those whose body arrived in time while the process was blocked', async () => {
    const patient = await startServer(routes, { bounds: { anonymousBodyTimeoutMs: 300 } });
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
    const patient = await startServer(routes, {
      settings: { ...quick, request_timeout_ms: 20_000 },
      bounds: { ...bounds, headersTimeoutMs: 10_000 },
    });
    const waiting = await openSocket(patient.port);
    // Each server looks at its connections by a beat of its own.
    await pause(4 * bounds.checkIntervalMs);
    const cut = await openSocket(server.port);
    expect(await firstClosed({ waiting, cut })).to.equal('cut');
    waiting.destroy();
    await patient.close();
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
    expect(received).to.be.lessThan(32 * MIB);
  });

  it('are served when they read at a good pace', async () => {
    // The deadline of the other tests here is too short for a busy machine to send so much.
    const patient = await startServer(routes, {
      settings: quick,
      bounds: { ...bounds, answerTimeoutMs: 10_000 },
    });
    const response = await fetch(`${patient.url}/api/v1/huge`);
    expect((await response.arrayBuffer()).byteLength).to.equal(32 * MIB);
    await patient.close();
  });

  it('lose an idle connection after the keep-alive time', async () => {
    const patient = await startServer(routes, { settings: { ...quick, keep_alive_ms: 20_000 }, bounds });
    const ask = async (port: number): Promise<Socket> => {
      const socket = await openSocket(port);
      socket.write('GET /api/v1/things HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'data');
      return socket;
    };
    const kept = await ask(patient.port);
    const idle = await ask(server.port);
    expect(await firstClosed({ kept, idle })).to.equal('idle');
    kept.destroy();
    await patient.close();
  });
});
