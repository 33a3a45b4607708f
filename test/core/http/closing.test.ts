import { once } from 'node:events';
import { expect } from 'chai';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { routesWith } from '../../../core/http/routing/route.ts';
import { jsonObject } from '../../../core/http/validation/schemas.ts';
import { holdTimers } from '../../support/held-timers.ts';
import { until } from '../../support/until.ts';
import { things } from './routes-fixture.ts';
import { lifetime, openSocket, startServer } from './support.ts';

const route = routesWith({});

const routes = [
  ...things,
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

const goingOn = route({
  method: 'GET',
  path: '/going-on',
  operationId: 'goingOn',
  summary: 'Goes on until the service stops',
  access: 'public',
  answers: jsonObject(),
  handle: async ({ request: { stopping } }) => {
    await new Promise((resolve) => stopping.addEventListener('abort', resolve));
    return { done: true };
  },
});

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

describe('closing the server', () => {
  const askThings = 'GET /api/v1/things HTTP/1.1\r\nHost: x\r\n\r\n';

  it('lets requests in flight finish with `Connection: close`, and accepts no new connection', async () => {
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

  it('serves requests on open connections for a moment longer, with `Connection: close`', async () => {
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

  it('serves requests that arrived on them while the process was blocked', async () => {
    const server = await startServer(routes);
    const { socket, received } = await usedConnection(server.port);
    const gone = lifetime(socket);
    const closed = server.close(5000);
    socket.write(askThings);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    await Promise.all([gone, closed]);
    expect(received()).to.match(/^HTTP\/1\.1 200 /);
  });

  it('tells at once those that would go on by themselves, and waits for their ends', async () => {
    const server = await startServer([...routes, goingOn]);
    const answer = server.request('GET', '/going-on');
    await until(() => server.inFlight() >= 1);
    const began = performance.now();
    const closed = server.close(60_000);
    expect((await answer).body).to.deep.equal({ done: true });
    await closed;
    expect(performance.now() - began).to.be.below(20_000);
  });

  it('aborts at the deadline what is left, which may still answer', async () => {
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

  it('closes the connections of what ignores the abort', async () => {
    const server = await startServer([...routes, heedless]);
    const cut = server.request('GET', '/heedless').catch((error: unknown) => error);
    await until(() => server.inFlight() >= 1);
    const timers = holdTimers();
    const closed = server.close(50);
    timers.release();
    // As long again as there was until the abort.
    timers.ringUpTo(100);
    await closed;
    expect(await cut).to.be.instanceOf(Error);
  });

  it('closes connections on which nothing was ever sent', async () => {
    const server = await startServer(routes);
    const unused = await openSocket(server.port);
    const gone = lifetime(unused);
    await server.request('GET', '/things');
    const began = performance.now();
    await server.close(60_000);
    await gone;
    expect(performance.now() - began).to.be.below(5000);
  });

  it('may be called twice', async () => {
    const server = await startServer(routes);
    await Promise.all([server.close(), server.close()]);
    expect(server.inFlight()).to.equal(0);
  });

  it('answers with `Connection: close` as soon as the service is not ready', async () => {
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
