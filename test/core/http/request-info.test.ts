import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { isId } from '../../../core/support/ids.ts';
import { routesWith } from '../../../core/http/routing/route.ts';
import { jsonObject } from '../../../core/http/validation/schemas.ts';
import { openSocket, startServer, type TestServer } from './support.ts';

const route = routesWith({});

describe('what a handler knows of the request', () => {
  let server: TestServer;
  let aborted: Promise<string>;
  before(async () => {
    let tell: (address: string) => void;
    aborted = new Promise((resolve) => (tell = resolve));
    server = await startServer([
      route({
        method: 'GET',
        path: '/info',
        operationId: 'info',
        summary: 'Shows the request',
        access: 'public',
        answers: jsonObject(),
        handle: ({ request, request: { header } }) => ({
          sameAgent: header('User-Agent'),
          id: request.id,
          ip: request.ip,
          url: request.publicUrl.href,
          traceparent: request.traceparent,
          agent: request.header('User-Agent'),
          aborted: request.signal.aborted,
        }),
      }),
      route({
        method: 'GET',
        path: '/slow',
        operationId: 'slow',
        summary: 'Waits until the client leaves',
        access: 'public',
        answers: jsonObject(),
        handle: async ({ request }) => {
          await new Promise<void>((resolve) => request.signal.addEventListener('abort', () => resolve()));
          tell(request.ip);
          throw new Error('The client left.');
        },
      }),
    ]);
  });
  after(() => server.close());

  const info = (headers: Record<string, string> = {}) => server.request('GET', '/info', { headers });

  it('is a new id, which is echoed', async () => {
    const answer = await info();
    expect(isId(answer.body.id)).to.equal(true);
    expect(answer.headers.get('x-request-id')).to.equal(answer.body.id);
  });

  it('is the id that the client sent', async () => {
    expect((await info({ 'X-Request-Id': 'my-id.7' })).body.id).to.equal('my-id.7');
  });

  it('is the id without what could spoil a log', async () => {
    expect((await info({ 'X-Request-Id': 'a b"<c>\t{d}' })).body.id).to.equal('abcd');
  });

  it('is the id cut to 128 characters', async () => {
    expect((await info({ 'X-Request-Id': 'x'.repeat(500) })).body.id).to.have.length(128);
  });

  it('is a new id when nothing of the sent one is left', async () => {
    expect(isId((await info({ 'X-Request-Id': '"<>"' })).body.id)).to.equal(true);
  });

  it('is a trace that begins here', async () => {
    expect((await info()).body.traceparent).to.match(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });

  it('is the trace of the caller with a new parent', async () => {
    const [trace, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
    const { body } = await info({ traceparent: `00-${trace}-${parent}-00` });
    expect(body.traceparent).to.match(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
    expect(body.traceparent).not.to.contain(parent);
  });

  it('is a new trace when the caller sent a broken one', async () => {
    const { body } = await info({ traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` });
    expect(body.traceparent).not.to.contain('0'.repeat(32));
  });

  it('is the address and the headers', async () => {
    const { body } = await info({ 'User-Agent': 'spec', 'X-Forwarded-For': '1.2.3.4' });
    expect(body).to.include({ ip: '127.0.0.1', agent: 'spec', aborted: false });
  });

  it('is a function that reads headers, also where the handler takes it out of the request', async () => {
    expect((await info({ 'User-Agent': 'spec' })).body).to.include({ sameAgent: 'spec' });
  });

  it('is the address under which it came', async () => {
    expect((await info()).body.url).to.equal(`${server.url}/`);
  });

  it('is a signal that aborts when the client goes away; the log says so, and not that something failed', async () => {
    const told = () => server.lines.filter(({ route: of }) => of === '/api/v1/slow');
    const known = told().length;
    const socket = await openSocket(server.port);
    socket.write('GET /api/v1/slow HTTP/1.1\r\nHost: x\r\n\r\n');
    while (server.inFlight() === 0) await pause(5);
    socket.destroy();
    expect(await aborted, 'the address of a client that has left').to.equal('127.0.0.1');
    while (told().length === known) await pause(5);
    expect(told()[known]).to.include({ level: 'info', status: 499 });
    expect(told()).to.have.length(known + 1);
  });
});
