import { expect } from 'chai';
import { rawContent, replyBytes, routesWith } from '../../../core/http/routing/route.ts';
import { sendRaw, startServer, type TestServer } from './support.ts';

const LARGE = 'a text '.repeat(5000);
const route = routesWith({});
const routes = [
  route({
    method: 'GET',
    path: '/large',
    operationId: 'large',
    summary: 'Answers a large text',
    access: 'public',
    answers: rawContent('text/plain; charset=utf-8'),
    handle: () => replyBytes(LARGE),
  }),
];

describe('a large answer', () => {
  let server: TestServer;
  before(async () => (server = await startServer(routes)));
  after(() => server.close());

  const answer = (accepted: string): Promise<string> => {
    const head = `GET /api/v1/large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
    return sendRaw(server.port, `${head}Accept-Encoding: ${accepted}\r\n\r\n`);
  };

  for (const [accepted, encoding] of [
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['*', 'gzip'],
  ] as const) {
    it(`is compressed for "${accepted}"`, async () => {
      expect(await answer(accepted)).to.match(
        new RegExp(`^HTTP/1.1 200 [^]*\r\nContent-Encoding: ${encoding}\r\n`),
      );
    });
  }

  for (const accepted of [
    '',
    'identity',
    'gzip;q=0',
    '*;q=0',
    'identity;q=0',
    'zstd;q=0, *;q=0',
    ', ,',
    ';q=1',
  ]) {
    it(`is sent as it is for "${accepted}", which takes no compressed one`, async () => {
      const text = await answer(accepted);
      expect(text).to.match(/^HTTP\/1.1 200 /);
      expect(text).to.not.contain('Content-Encoding');
      expect(text).to.contain('Vary: Accept-Encoding');
      expect(text.endsWith(LARGE)).to.equal(true);
    });
  }
});
