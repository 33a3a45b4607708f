import { expect } from 'chai';
import { things } from './routes-fixture.ts';
import { sendRaw, startServer, type TestServer } from './support.ts';

describe('requests that are not HTTP', () => {
  let server: TestServer;
  before(async () => (server = await startServer(things)));
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
    ['two hosts', 'GET /api/v1/things HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', /^HTTP\/1\.1 400 /],
    [
      'credentials given twice',
      'GET /api/v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n',
      /^HTTP\/1\.1 400 /,
    ],
    [
      'two content types',
      'POST /api/v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}',
      /^HTTP\/1\.1 400 /,
    ],
    ['no host', 'GET /api/v1/things HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['another version of HTTP', 'GET /api/v1/things HTTP/2.0\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['no version', 'GET /api/v1/things\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['a negative length', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', /^HTTP\/1\.1 400 /],
  ];
  for (const [what, bytes, status] of cases) {
    it(`are answered with a problem document: ${what}`, async () => {
      const answer = await sendRaw(server.port, bytes);
      expect(answer).to.match(status);
      expect(answer).to.contain('application/problem+json');
      expect(answer).to.match(/X-Request-Id: \S+\r\n/);
      expect(answer).to.contain('X-Content-Type-Options: nosniff');
    });
  }

  it('do not include HTTP/1.0, or thousands of header fields, which all arrive', async () => {
    const fields = `${'W:\r\n'.repeat(3000)}X-Request-Id: last-of-all\r\n`;
    const answer = await sendRaw(server.port, `GET /api/v1/things HTTP/1.0\r\n${fields}\r\n`);
    expect(answer).to.match(/^HTTP\/1\.1 200 /);
    expect(answer).to.contain('last-of-all');
  });

  it('do not include one with an unknown expectation', async () => {
    const answer = await sendRaw(
      server.port,
      'GET /api/v1/things HTTP/1.1\r\nHost: x\r\nExpect: magic\r\nConnection: close\r\n\r\n',
    );
    expect(answer).to.match(/^HTTP\/1\.1 200 /);
  });
});
