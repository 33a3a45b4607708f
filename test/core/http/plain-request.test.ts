import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { readPlainRequest } from '../../../core/http/plain-request.ts';
import { seededRandom, type SeededRandom } from '../../support/seeded-random.ts';
import { sendRaw } from './support.ts';

const read = (text: string) => readPlainRequest(Buffer.from(text, 'latin1'));
const HOST = 'Host: x\r\n';

describe('a piece of what a client sent', () => {
  it('is one plain request when it has a whole head and just the body that the head announces', () => {
    expect(read(`GET /a/b?c=1 HTTP/1.1\r\n${HOST}\r\n`)).to.deep.equal({
      path: '/a/b?c=1',
      requestId: undefined,
    });
    const post = `POST /call HTTP/1.1\r\n${HOST}x-REQUEST-id:  mine \r\nConnection: Keep-Alive\r\ncontent-length: 5\r\n\r\nhello`;
    expect(read(post)).to.deep.equal({ path: '/call', requestId: 'mine ' });
  });

  for (const [what, text] of [
    ['an incomplete head', `GET / HTTP/1.1\r\n${HOST}`],
    ['an incomplete body', `POST / HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhell`],
    ['more than its body', `POST / HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello!`],
    ['a body without a length', `POST / HTTP/1.1\r\n${HOST}\r\nhello`],
    ['two lengths', `POST / HTTP/1.1\r\n${HOST}Content-Length: 5\r\ncontent-length: 5\r\n\r\nhello`],
    ['a length with a sign', `POST / HTTP/1.1\r\n${HOST}Content-Length: +5\r\n\r\nhello`],
    ['a list of lengths', `POST / HTTP/1.1\r\n${HOST}Content-Length: 5, 5\r\n\r\nhello`],
    ['a transfer coding', `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`],
    [
      'a transfer coding hidden by a bare line feed',
      `POST / HTTP/1.1\r\n${HOST}A: b\nTransfer-Encoding: chunked\r\n\r\n`,
    ],
    ['a folded line', `POST / HTTP/1.1\r\n${HOST}A: b\r\n Content-Length: 5\r\n\r\n`],
    ['a space before a colon', `POST / HTTP/1.1\r\n${HOST}Content-Length : 5\r\n\r\nhello`],
    ['an empty line first', `\r\nGET / HTTP/1.1\r\n${HOST}\r\n`],
    ['no host', 'GET / HTTP/1.1\r\nAccept: x\r\n\r\n'],
    ['two hosts', `GET / HTTP/1.1\r\n${HOST}${HOST}\r\n`],
    ['two ids', `GET / HTTP/1.1\r\n${HOST}X-Request-Id: a\r\nX-Request-Id: b\r\n\r\n`],
    ['the wish to close', `GET / HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`],
    ['the wish to upgrade', `GET / HTTP/1.1\r\n${HOST}Upgrade: h2c\r\n\r\n`],
    ['an expectation', `POST / HTTP/1.1\r\n${HOST}Expect: 100-continue\r\n\r\n`],
    ['a page as its origin', `GET / HTTP/1.1\r\n${HOST}Origin: https://page.example\r\n\r\n`],
    ['another version', `GET / HTTP/1.0\r\n${HOST}\r\n`],
    ['a method whose answer has no body', `HEAD / HTTP/1.1\r\n${HOST}\r\n`],
    ['an absolute target', `GET http://x/ HTTP/1.1\r\n${HOST}\r\n`],
    ['a byte beyond ASCII', `GET / HTTP/1.1\r\n${HOST}A: \xff\r\n\r\n`],
    ['a zero byte', `GET / HTTP/1.1\r\n${HOST}A: \0\r\n\r\n`],
    ['something else', 'hello\r\n\r\n'],
  ] as const) {
    it(`is not read when it has ${what}`, () => {
      expect(read(text)).to.equal(undefined);
    });
  }

  describe('that is read as one plain request', () => {
    const RUNS = 30_000;
    let server: Server;
    let seen: string[];

    before((done) => {
      server = createServer((req, res) => {
        seen.push(req.url!);
        req.resume().on('end', () => res.end());
      });
      server.listen(0, '127.0.0.1', done);
    });
    after((done) => {
      server.close(done);
      server.closeAllConnections();
    });

    it(`is the same to Node's parser, in ${RUNS} pieces put together at random`, async function () {
      this.timeout(60_000);
      const random = seededRandom(7);
      const { port } = server.address() as AddressInfo;
      let plain = 0;
      for (let run = 0; run < RUNS; run += 1) {
        const piece = somePiece(random);
        const request = read(piece);
        if (!request) continue;
        plain += 1;
        seen = [];
        const after = `GET /after HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;
        const answers = await sendRaw(port, Buffer.from(piece + after, 'latin1'));
        const isRefused = answers.startsWith('HTTP/1.1 400');
        expect(seen, JSON.stringify(piece)).to.deep.equal(isRefused ? [] : [request.path, '/after']);
      }
      expect(plain).to.be.at.least(100);
    });
  });
});

const LINES = [
  HOST,
  HOST,
  HOST,
  'Content-Length: 5\r\n',
  'Content-Length: 5\r\n',
  'content-length:5 \r\n',
  'Content-Length: 0\r\n',
  'Content-Length: 05\r\n',
  'Content-Length: 5\n',
  'Content-Length: 0x5\r\n',
  'X-Content-Length: 9\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding : chunked\r\n',
  'A: b\rTransfer-Encoding: chunked\r\n',
  'A: b\n',
  'A:\tb\t\r\n',
  'A:\r\n',
  ' A: b\r\n',
  '"A": b\r\n',
  'A(): b\r\n',
  'Connection: keep-alive\r\n',
  'Connection: keep-alive, upgrade\r\n',
  'Keep-Alive: 5\r\n',
  'X-Request-Id: r\r\n',
  ': empty\r\n',
];
const FIRST = [
  'GET /g',
  'POST /p',
  'POST /p?q=GET / HTTP/1.1',
  'PUT /\u007f',
  'DELETE /a b',
  'PATCH /%00',
  'M-SEARCH *',
];
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1 ', 'HTTP/1.0', 'http/1.1'];
const BODIES = ['', '', 'hello', 'hello', 'GET / HTTP/1.1\r\n\r\n', '0\r\n\r\n'];

function somePiece(random: SeededRandom): string {
  const lines = Array.from({ length: 1 + random.below(4) }, () => random.pick(LINES)).join('');
  return `${random.pick(FIRST)} ${random.pick(VERSIONS)}\r\n${lines}\r\n${random.pick(BODIES)}`;
}
