import { getEventListeners, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Egress, OutboundError } from '../../../core/egress/egress.ts';
import { until } from '../../support/until.ts';
import {
  egressWith,
  failureOf,
  get,
  resolverFor,
  startHttpServer,
  startRawServer,
  type TestServer,
} from './servers.ts';
import { certificate, privateKey } from './self-signed.ts';

describe('an exchange with an endpoint', () => {
  let server: TestServer;
  let egress: Egress & { close(): Promise<void> };
  const seen: {
    method: string | undefined;
    url: string | undefined;
    headers: NodeJS.Dict<string | string[]>;
    body: string;
  }[] = [];

  before(async () => {
    server = await startHttpServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        seen.push({ method: request.method, url: request.url, headers: request.headers, body });
        if (request.url === '/slow') return void setTimeout(() => response.end('late'), 1_000);
        if (request.url === '/large') return void response.end('x'.repeat(300_000));
        response
          .setHeader('x-twice', ['a', 'b'])
          .writeHead(request.url === '/teapot' ? 418 : 200)
          .end(`${request.method} ok`);
      });
    });
  });

  beforeEach(() => {
    egress = egressWith();
    seen.length = 0;
    server.connections = 0;
  });

  afterEach(() => egress.close());
  after(() => server.stop());

  const at = (path: string) => `http://127.0.0.1:${server.port}${path}`;

  it('sends method, path, query, headers and body as they are', async () => {
    const headers = { 'content-type': 'application/json', 'x-call-id': '7' };
    await egress.request(get(at('/a/b?c=%20d'), 'endpoint', { method: 'POST', headers, body: '{"ü":1}' }));
    expect(seen[0]).to.deep.include({ method: 'POST', url: '/a/b?c=%20d', body: '{"ü":1}' });
  });

  it('requests an uncompressed answer, whatever headers the caller sets', async () => {
    await egress.request(get(at('/'), 'endpoint', { headers: { 'accept-encoding': 'gzip' } }));
    expect(seen[0]?.headers['accept-encoding']).to.equal('identity');
  });

  it('answers status, headers and body', async () => {
    const answer = await egress.request(get(at('/teapot'), 'endpoint'));
    expect([answer.status, answer.headers['x-twice'], answer.body.toString()]).to.deep.equal([
      418,
      'a, b',
      'GET ok',
    ]);
  });

  it('joins a body of many chunks', async () => {
    const { body } = await egress.request(get(at('/large'), 'endpoint'));
    expect(body.equals(Buffer.alloc(300_000, 'x'))).to.equal(true);
  });

  it('accepts a body of exactly the limit', async () => {
    const { body } = await egress.request(get(at('/large'), 'endpoint', { maxBytes: 300_000 }));
    expect(body).to.have.length(300_000);
  });

  it('refuses a body of one byte more', async () => {
    const failure = await failureOf(egress.request(get(at('/large'), 'endpoint', { maxBytes: 299_999 })));
    expect(failure?.failure).to.equal('bad_response');
  });

  it('ends at its deadline', async () => {
    const failure = await failureOf(egress.request(get(at('/slow'), 'endpoint', { timeoutMs: 100 })));
    expect(failure?.failure).to.equal('timeout');
  });

  it('ends when the caller aborts', async () => {
    const controller = new AbortController();
    const answer = failureOf(egress.request(get(at('/slow'), 'endpoint', { signal: controller.signal })));
    await sleep(50);
    controller.abort();
    expect((await answer)?.failure).to.equal('aborted');
  });

  it('does not begin when the caller has aborted already', async () => {
    await failureOf(egress.request(get(at('/'), 'endpoint', { signal: AbortSignal.abort() })));
    await sleep(50);
    expect(server.connections).to.equal(0);
  });

  it('removes its listener from the signal of the caller', async () => {
    const { signal } = new AbortController();
    const listening = () => getEventListeners(signal, 'abort').length;
    const answer = egress.request(get(at('/'), 'endpoint', { signal }));
    const during = listening();
    await answer;
    expect([during, listening()]).to.deep.equal([1, 0]);
  });

  it('never lets a header smuggle another one in', async () => {
    const headers = { 'x-a': 'b\r\nx-injected: yes' };
    await failureOf(egress.request(get(at('/'), 'endpoint', { headers })));
    expect(seen).to.deep.equal([]);
  });

  it('reuses connections: at most two serve consecutive requests', async () => {
    for (let turn = 0; turn < 20; turn++) await egress.request(get(at('/'), 'endpoint'));
    expect(server.connections).to.be.within(1, 2);
  });

  it('opens as many connections as there are requests', async () => {
    const responses: ServerResponse[] = [];
    const late = await startHttpServer((_, response) => {
      responses.push(response);
      if (responses.length === 300) for (const one of responses) one.end('late');
    });
    const request = get(`http://127.0.0.1:${late.port}/`, 'endpoint', { timeoutMs: 20_000 });
    const answers = await Promise.all(Array.from({ length: 300 }, () => egress.request(request)));
    await late.stop();
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
  });

  it('gets quick answers from an origin that also has hanging requests', async () => {
    const shared = await startHttpServer(({ url }, response) => {
      if (url === '/quick') response.end('quick');
    });
    const to = (path: string) => `http://127.0.0.1:${shared.port}${path}`;
    const hanging = Array.from({ length: 200 }, () => failureOf(egress.request(get(to('/'), 'endpoint'))));
    const { status } = await egress.request(get(to('/quick'), 'endpoint', { timeoutMs: 1_500 }));
    await shared.stop();
    await Promise.all(hanging);
    expect(status).to.equal(200);
  });

  it('never sends a request that was aborted while it connected', async () => {
    const resolve: (() => void)[] = [];
    const named = egressWith({}, (_name, _options, done) => {
      resolve.push(() => done(null, [{ address: '127.0.0.1', family: 4 }]));
    });
    const ask = (path: string, timeoutMs: number) =>
      failureOf(named.request(get(`http://models.lan:${server.port}${path}`, 'endpoint', { timeoutMs })));
    const other = ask('/other', 5_000);
    expect((await ask('/given-up', 50))?.failure).to.equal('timeout');
    resolve[0]!();
    await other;
    await named.close();
    expect(seen.map(({ url }) => url)).to.deep.equal(['/other']);
  });

  it('closes the connection at its deadline, so that the server need not go on', async () => {
    const closed: Promise<unknown>[] = [];
    const hanging = await startRawServer((socket) => void closed.push(once(socket.resume(), 'close')));
    await failureOf(
      egress.request(get(`http://127.0.0.1:${hanging.port}/`, 'endpoint', { timeoutMs: 1_000 })),
    );
    const late = sleep(10_000, 'still open', { ref: false });
    const outcome = await Promise.race([closed[0]!.then(() => 'closed'), late]);
    await hanging.stop();
    expect(outcome).to.equal('closed');
  });

  it('aborts open requests when the client is closed', async () => {
    const answer = failureOf(egress.request(get(at('/slow'), 'endpoint', { timeoutMs: 20_000 })));
    await until(() => seen.length > 0);
    await egress.close();
    expect((await answer)?.failure).to.equal('bad_response');
  });

  it('fails as unreachable when no server listens', async () => {
    const gone = await startRawServer(() => undefined);
    await gone.stop();
    const failure = await failureOf(egress.request(get(`http://127.0.0.1:${gone.port}/`, 'endpoint')));
    expect(failure?.failure).to.equal('unreachable');
  });

  it('never names an address or port in a failure', async () => {
    const gone = await startRawServer(() => undefined);
    await gone.stop();
    const failure = await failureOf(egress.request(get(`http://127.0.0.1:${gone.port}/`, 'endpoint')));
    expect(failure?.message).to.not.match(/127\.0\.0\.1|\d{4,}|ECONN/);
  });
});

describe('an answer whose body cannot be used', () => {
  const HEAD = 'connection: close\r\ncontent-type: application/json';
  const bodies: Readonly<Record<string, string>> = {
    compressed: 'content-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}',
    'larger than the limit': `content-length: 101\r\n\r\n${'x'.repeat(101)}`,
    'larger than the limit without a length': `\r\n${'x'.repeat(101)}`,
    'broken off': 'content-length: 50\r\n\r\n{',
  };

  /** How an answer with this status and rest ends: as its failure, or as its status and body. */
  async function endOf(status: number, rest: string, isOpen = false) {
    const answer = `HTTP/1.1 ${status} Word\r\n${HEAD}\r\n${rest}`;
    const server = await startRawServer((socket) =>
      socket.once('data', () => (isOpen ? socket.write(answer) : socket.end(answer))),
    );
    const egress = egressWith();
    const limits = { maxBytes: 100, timeoutMs: isOpen ? 300 : 5_000 };
    const end = await egress.request(get(`http://127.0.0.1:${server.port}/`, 'endpoint', limits)).then(
      ({ status: answered, body }) => [answered, body.toString()],
      (error: OutboundError) => error.failure,
    );
    await egress.close();
    await server.stop();
    return end;
  }

  for (const [what, rest] of Object.entries(bodies)) {
    it(`that is ${what} fails when its status is a success`, async () => {
      expect(await endOf(200, rest)).to.equal('bad_response');
    });

    for (const status of [404, 503]) {
      it(`that is ${what} is answered without its body when its status is ${status}`, async () => {
        expect(await endOf(status, rest)).to.deep.equal([status, '']);
      });
    }
  }

  it('that never ends is answered at the deadline when its status is 503', async () => {
    expect(await endOf(200, 'content-length: 50\r\n\r\n{', true)).to.equal('timeout');
    expect(await endOf(503, 'content-length: 50\r\n\r\n{', true)).to.deep.equal([503, '']);
  });

  for (const coding of ['identity', 'Identity', '', ' ', 'identity, identity']) {
    it(`excludes one with the content coding "${coding}"`, async () => {
      const rest = `content-encoding: ${coding}\r\ncontent-length: 2\r\n\r\n{}`;
      expect(await endOf(200, rest)).to.deep.equal([200, '{}']);
    });
  }

  for (const coding of ['gzip', 'GZIP', 'identity, gzip', 'br']) {
    it(`with the content coding "${coding}" fails`, async () => {
      const rest = `content-encoding: ${coding}\r\ncontent-length: 2\r\n\r\n{}`;
      expect(await endOf(200, rest)).to.equal('bad_response');
    });
  }

  it('excludes one without content that names a coding', async () => {
    expect(await endOf(204, 'content-encoding: gzip\r\n\r\n')).to.deep.equal([204, '']);
  });
});

describe('an exchange over TLS', () => {
  it('is refused when the certificate of the server is not trusted', async () => {
    const server = createTlsServer({ key: privateKey, cert: certificate }, (_, response) =>
      response.end('{}'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const egress = egressWith({}, resolverFor(['127.0.0.1']));
    const { port } = server.address() as AddressInfo;
    const failure = await failureOf(egress.request(get(`https://models.lan:${port}/`, 'endpoint')));
    await egress.close();
    await new Promise((resolve) => server.close(resolve));
    expect(failure?.failure).to.equal('unreachable');
  });
});
