import { expect } from 'chai';
import { routesWith } from '../../../core/http/routing/route.ts';
import { jsonObject } from '../../../core/http/validation/schemas.ts';
import { things } from './routes-fixture.ts';
import { openSocket, sendRaw, startServer, type TestServer } from './support.ts';

const documentRoute = routesWith({})({
  method: 'GET',
  path: '/openapi.json',
  operationId: 'getDocument',
  summary: 'The document',
  access: 'public',
  answers: jsonObject(),
  handle: () => ({}),
});

describe('routing', () => {
  let server: TestServer;
  before(async () => (server = await startServer(things)));
  after(() => server.close());

  it('prefers a literal path to one with parameters', async () => {
    const answer = await server.request('POST', '/things/call', { json: { input: { a: 1 } } });
    expect(answer.body).to.deep.equal({ a: 1 });
  });

  it('prefers a literal segment to a parameter', async () => {
    expect((await server.request('GET', '/things/calls/7')).body).to.deep.equal({ call: '7' });
  });

  it('leaves methods that a literal path does not support to the path with parameters', async () => {
    expect((await server.request('GET', '/things/call')).body.id).to.equal('call');
  });

  it('decodes path parameters', async () => {
    expect((await server.request('GET', '/things/a%20b%2Fc')).body.id).to.equal('a b/c');
  });

  it('treats encoded letters as the letters themselves', async () => {
    expect((await server.request('GET', '/%74hings?limit=1')).body.limit).to.equal(1);
  });

  it('drops one trailing slash', async () => {
    expect((await server.request('GET', '/things/')).status).to.equal(200);
  });

  const nowhere = [
    '/nothing',
    '/THINGS',
    '/things//7',
    '/things/..',
    '/things/.',
    '/things/%2E%2e',
    '/things/calls/../7',
    '/things/%zz',
    '/things/a%00b',
  ];
  for (const path of nowhere) {
    it(`finds nothing at ${path}`, async () => {
      const answer = await sendRaw(
        server.port,
        `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).to.match(/^HTTP\/1\.1 404 /);
      expect(answer).to.contain('"code":"route_not_found"');
    });
  }

  it('points to the document in a 404, but only where it is served', async () => {
    const { detail } = (await server.request('GET', '/nothing')).body;
    expect(detail).to.equal('Nothing is served at /api/v1/nothing. Operations are below /api/v1.');
    const described = await startServer([...things, documentRoute]);
    try {
      expect((await described.request('GET', '/nothing')).body.detail).to.equal(
        'Nothing is served at /api/v1/nothing. Operations are below /api/v1; see /api/v1/openapi.json.',
      );
    } finally {
      await described.close();
    }
  });

  it('points to the page for people as well, below the public address', async () => {
    const page = { ...documentRoute, path: '/docs', atRoot: true, operationId: 'docs' };
    const described = await startServer([...things, documentRoute, page], {
      settings: { public_url: 'https://example.org/vitrine/' },
    });
    try {
      const answer = await fetch(`http://127.0.0.1:${described.port}/`);
      const { detail } = (await answer.json()) as { detail: string };
      expect(detail).to.match(
        /; see https:\/\/example\.org\/vitrine\/api\/v1\/openapi\.json and https:\/\/example\.org\/vitrine\/docs\.$/,
      );
    } finally {
      await described.close();
    }
  });

  it('points to that page below the prefix that stands before /api/v1', async () => {
    const page = { ...documentRoute, path: '/docs', atRoot: true, operationId: 'docs' };
    const described = await startServer([...things, documentRoute, page], {
      settings: { base_path: '/keep/api/v1' },
    });
    try {
      expect((await described.request('GET', '//')).body.detail).to.contain(
        'see /keep/api/v1/openapi.json and /keep/docs.',
      );
    } finally {
      await described.close();
    }
  });

  it('does not let an encoded dot segment reach another path', async () => {
    const answer = await sendRaw(
      server.port,
      'GET /api/v1/nothing/../things HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(answer).to.match(/^HTTP\/1\.1 404 /);
  });

  it('reads the absolute form of a target without its host', async () => {
    const answer = await sendRaw(
      server.port,
      'GET http://elsewhere.example/api/v1/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(answer).to.match(/^HTTP\/1\.1 200 /);
  });

  for (const target of ['*', 'http://elsewhere.example', 'http://[', 'things', '/api/v1/things#limit']) {
    it(`finds nothing at the target ${target}`, async () => {
      const answer = await sendRaw(
        server.port,
        `OPTIONS ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).to.match(/^HTTP\/1\.1 40[04] /);
    });
  }

  it('answers HEAD like GET, without the body', async () => {
    const answer = await server.request('HEAD', '/things');
    expect(answer.status).to.equal(200);
    expect(answer.text).to.equal('');
    expect(Number(answer.headers.get('content-length'))).to.be.greaterThan(0);
  });

  it('names the methods that a path supports', async () => {
    const answer = await server.request('DELETE', '/things');
    expect(answer.status).to.equal(405);
    expect(answer.headers.get('allow')).to.equal('GET, HEAD, POST');
    expect(answer.body.code).to.equal('method_not_allowed');
  });

  for (const method of ['TRACE', 'PROPFIND', 'OPTIONS']) {
    it(`answers ${method} with 405`, async () => {
      const answer = await sendRaw(
        server.port,
        `${method} /api/v1/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).to.match(/^HTTP\/1\.1 405 /);
      expect(answer).to.contain('Allow: GET, HEAD, POST');
    });
  }

  it('answers CONNECT with 405', async () => {
    const answer = await sendRaw(server.port, 'CONNECT example.org:80 HTTP/1.1\r\nHost: example.org\r\n\r\n');
    expect(answer).to.match(/^HTTP\/1\.1 405 /);
  });

  it('outlives clients that send CONNECT and reset their connection', async () => {
    const faults: unknown[] = [];
    const note = (error: unknown): void => void faults.push(error);
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException').on('uncaughtException', note);
    try {
      for (let client = 0; client < 50; client += 1) {
        const socket = await openSocket(server.port);
        socket.write('CONNECT example.org:80 HTTP/1.1\r\nHost: example.org\r\n\r\n');
        await new Promise((written) => setImmediate(written));
        socket.resetAndDestroy();
      }
      expect((await server.request('GET', '/things')).status).to.equal(200);
    } finally {
      process.off('uncaughtException', note);
      for (const other of others) process.on('uncaughtException', other);
    }
    expect(faults).to.deep.equal([]);
  });

  it('ignores headers that claim another method or path', async () => {
    const headers = { 'X-HTTP-Method-Override': 'DELETE', 'X-Original-URL': '/api/v1/things/7' };
    expect((await server.request('GET', '/things', { headers })).body.limit).to.equal(100);
  });
});
