import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { OutboundFailure, OutboundRequest } from '../../../core/egress/egress.ts';
import { egressWith, failureOf, get, startRawServer, type TestServer } from './servers.ts';

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
/** Short where the deadline is what ends an exchange; elsewhere long, so that it is not. */
const DEADLINE_MS = { short: 300, long: 5_000 };

/** Calls repeatedly until the peer disconnects. */
function forever(socket: Socket, everyMs: number, write: () => void): void {
  const timer = setInterval(() => (socket.writable ? write() : clearInterval(timer)), everyMs);
  socket.on('close', () => clearInterval(timer));
}

/** Writes as fast as the peer reads. */
function flood(socket: Socket, chunk: string | Buffer): void {
  const pump = () => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', pump);
  pump();
}

interface Behaviour {
  readonly serve: (socket: Socket) => void;
  readonly fails: OutboundFailure;
}

const answering = (text: string | Buffer, fails: OutboundFailure = 'bad_response'): Behaviour => ({
  fails,
  serve: (socket) => socket.once('data', () => socket.write(text)),
});

const closingAfter = (text: string): Behaviour => ({
  fails: 'bad_response',
  serve: (socket) => socket.once('data', () => socket.end(text)),
});

const behaviours: Readonly<Record<string, Behaviour>> = {
  'never answers': { serve: () => undefined, fails: 'timeout' },
  'drips its headers': {
    fails: 'timeout',
    serve: (socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n'));
      forever(socket, 20, () => socket.write('x: y\r\n'));
    },
  },
  'drips its body': {
    fails: 'timeout',
    serve: (socket) => {
      socket.once('data', () => socket.write(`${HEAD}content-length: 1000\r\n\r\n`));
      forever(socket, 20, () => socket.write(' '));
    },
  },
  'stops in the middle of its headers': answering('HTTP/1.1 200 OK\r\ncontent-ty', 'timeout'),
  'stops in the middle of its body': answering(`${HEAD}content-length: 100\r\n\r\n{`, 'timeout'),
  'sends a body without end': {
    fails: 'bad_response',
    serve: (socket) => socket.once('data', () => flood(socket, `${HEAD}\r\n${'x'.repeat(65_536)}`)),
  },
  'sends chunks without end': {
    fails: 'bad_response',
    serve: (socket) =>
      socket.once('data', () => {
        socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
        flood(socket, `4000\r\n${'x'.repeat(0x4000)}\r\n`);
      }),
  },
  'sends a body byte by byte in chunks without end': {
    fails: 'bad_response',
    serve: (socket) =>
      socket.once('data', () => {
        socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
        flood(socket, '1\r\nx\r\n'.repeat(10_000));
      }),
  },
  'announces a huge body': answering(`${HEAD}content-length: 99999999999\r\n\r\n{}`),
  'announces a body beyond all numbers': answering(`${HEAD}content-length: ${'9'.repeat(40)}\r\n\r\n{}`),
  'announces a negative length': answering(`${HEAD}content-length: -1\r\n\r\n{}`),
  'announces two lengths': answering(`${HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`),
  'announces a length and chunks': answering(
    `${HEAD}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ),
  'breaks its body off': closingAfter(`${HEAD}content-length: 100\r\n\r\n{}`),
  'breaks its chunks off': closingAfter(`${HEAD}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`),
  'closes without a word': { ...closingAfter(''), fails: 'unreachable' },
  'resets the connection at once': {
    fails: 'unreachable',
    serve: (socket) => socket.once('data', () => socket.resetAndDestroy()),
  },
  'resets the connection in its body': {
    fails: 'bad_response',
    serve: (socket) =>
      socket.once('data', () =>
        socket.write(`${HEAD}content-length: 9\r\n\r\n{`, () => socket.resetAndDestroy()),
      ),
  },
  'writes a chunk size that is no number': answering(`${HEAD}transfer-encoding: chunked\r\n\r\nzz\r\n{}`),
  'compresses its answer unasked': answering(
    Buffer.concat([
      Buffer.from(`${HEAD}content-encoding: gzip\r\nconnection: close\r\n\r\n`),
      gzipSync('{}'),
    ]),
  ),
  'names a compression that does not exist': answering(
    `${HEAD}content-encoding: bomb\r\ncontent-length: 2\r\n\r\n{}`,
  ),
  'sends 5,000 headers': answering(
    `${HEAD}${Array.from({ length: 5_000 }, (_, n) => `x-${n}: y`).join('\r\n')}\r\ncontent-length: 2\r\n\r\n{}`,
  ),
  'sends 300 short headers': answering(
    `${HEAD}${Array.from({ length: 300 }, (_, n) => `x-${n}: y`).join('\r\n')}\r\ncontent-length: 2\r\n\r\n{}`,
  ),
  'sends a header of a megabyte': answering(
    `${HEAD}x: ${'y'.repeat(1 << 20)}\r\ncontent-length: 2\r\n\r\n{}`,
  ),
  'sends headers without end': {
    fails: 'bad_response',
    serve: (socket) => socket.once('data', () => flood(socket, `${HEAD}${'x: y\r\n'.repeat(1_000)}`)),
  },
  'says 100 Continue for ever': {
    fails: 'bad_response',
    serve: (socket) => socket.once('data', () => flood(socket, 'HTTP/1.1 100 Continue\r\n\r\n')),
  },
  'says 103 Early Hints for ever': {
    fails: 'bad_response',
    serve: (socket) =>
      socket.once('data', () => flood(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n')),
  },
  'switches protocols': answering(
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
  ),
  'does not speak HTTP': answering('SSH-2.0-OpenSSH_9.6\r\n'),
  'speaks HTTP/2': answering(Buffer.from('00000c0400000000000003000000640004000a0000', 'hex')),
  'redirects inside': answering(
    'HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n',
  ),
  'redirects to itself': answering(
    'HTTP/1.1 307 Temporary Redirect\r\nlocation: /\r\ncontent-length: 0\r\n\r\n',
  ),
};

describe('a hostile server', () => {
  let server: TestServer;

  afterEach(() => server.stop());

  for (const [what, { serve, fails }] of Object.entries(behaviours)) {
    it(`that ${what} ends as ${fails}, in time`, async () => {
      server = await startRawServer(serve);
      const timeoutMs = fails === 'timeout' ? DEADLINE_MS.short : DEADLINE_MS.long;
      const { failure, took } = await ask({ timeoutMs });
      expect([failure?.failure, took < timeoutMs + 4_000]).to.deep.equal([fails, true]);
    });
  }

  const sayings: Readonly<Record<string, RegExp>> = {
    'does not speak HTTP': /is not valid HTTP/,
    'switches protocols': /is not valid HTTP/,
    'breaks its body off': /broke off before the answer was complete/,
    'closes without a word': /connection was closed without an answer/,
  };
  for (const [what, saying] of Object.entries(sayings)) {
    it(`that ${what} is said to`, async () => {
      server = await startRawServer(behaviours[what]!.serve);
      const { failure } = await ask({ timeoutMs: DEADLINE_MS.long });
      expect(failure?.message).to.match(saying);
    });
  }

  it('that shows a behaviour is one of at least twenty-two', () => {
    expect(Object.keys(behaviours)).to.have.length.of.at.least(22);
  });

  it('that redirects gets one request only', async () => {
    let asked = 0;
    server = await startRawServer((socket) =>
      socket.on('data', () => {
        asked += 1;
        socket.write('HTTP/1.1 307 Temporary Redirect\r\nlocation: /\r\ncontent-length: 0\r\n\r\n');
      }),
    );
    await ask({ method: 'POST', body: '{}', timeoutMs: DEADLINE_MS.long });
    expect(asked).to.equal(1);
  });

  it('that resets the connection gets no second request', async () => {
    let asked = 0;
    server = await startRawServer((socket) =>
      socket.on('data', () => {
        asked += 1;
        socket.resetAndDestroy();
      }),
    );
    await ask({ method: 'GET', timeoutMs: DEADLINE_MS.long });
    expect(asked).to.equal(1);
  });

  it('that sends a second answer unasked does not answer the next request with it', async () => {
    server = await startRawServer((socket) => {
      let asked = 0;
      socket.on('data', () => {
        asked += 1;
        const own = `${HEAD}content-length: 1\r\n\r\n${asked}`;
        socket.write(asked === 1 ? `${own}${HEAD}content-length: 6\r\n\r\npoison` : own);
      });
    });
    const egress = egressWith();
    const bodies: string[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const answer = await egress
        .request(get(`http://127.0.0.1:${server.port}/`, 'endpoint'))
        .catch(() => undefined);
      bodies.push(answer?.body.toString() ?? 'failed');
    }
    await egress.close();
    expect(bodies).to.not.include('poison');
  });

  it('that floods fifty concurrent requests does not exhaust the memory', async function () {
    this.timeout(20_000);
    server = await startRawServer((socket) =>
      socket.once('data', () => {
        socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
        flood(socket, '1\r\nx\r\n'.repeat(10_000));
      }),
    );
    const egress = egressWith();
    const before = process.memoryUsage().heapUsed;
    const request = get(`http://127.0.0.1:${server.port}/`, 'endpoint', { maxBytes: 100_000 });
    await Promise.all(Array.from({ length: 50 }, () => failureOf(egress.request(request))));
    const grown = process.memoryUsage().heapUsed - before;
    await egress.close();
    expect(grown / 2 ** 20).to.be.below(64);
  });

  it('that does not speak TLS is unreachable over https', async () => {
    server = await startRawServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad\r\n\r\n')),
    );
    const { failure } = await ask({ timeoutMs: DEADLINE_MS.long }, 'https');
    expect(failure?.failure).to.equal('unreachable');
  });

  it('that never completes a TLS handshake ends in time', async () => {
    server = await startRawServer(() => undefined);
    const { failure, took } = await ask({}, 'https');
    expect([failure?.failure, took < DEADLINE_MS.short + 4_000]).to.deep.equal(['timeout', true]);
  });

  async function ask(more: Partial<OutboundRequest> = {}, scheme = 'http') {
    const egress = egressWith();
    const start = performance.now();
    const url = `${scheme}://127.0.0.1:${server.port}/`;
    const failure = await failureOf(
      egress.request(get(url, 'endpoint', { timeoutMs: DEADLINE_MS.short, maxBytes: 100_000, ...more })),
    );
    const took = performance.now() - start;
    await egress.close();
    return { failure, took };
  }
});
