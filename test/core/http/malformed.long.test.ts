import { expect } from 'chai';
import { seededRandom, type SeededRandom } from '../../support/seeded-random.ts';
import { things } from './routes-fixture.ts';
import { openSocket, startServer, type TestServer } from './support.ts';

const COUNT = 2000;

/** Requests that are wrong in one or several ways: target, headers, framing, JSON. */
class Malformer {
  readonly #random: SeededRandom;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  request(): Buffer {
    const body = this.#body();
    const head = [
      `${this.#random.pick(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'BREW', 'post'])} ${this.#target()} HTTP/1.1`,
      'Host: x',
      'Connection: close',
      ...this.#headers(),
      this.#random.pick([
        `Content-Length: ${body.length}`,
        `Content-Length: ${body.length}`,
        'Transfer-Encoding: chunked',
        'X: y',
      ]),
    ];
    const request = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
    return this.#random.chance(0.2) ? this.#damage(request) : request;
  }

  #target(): string {
    const path = this.#random.pick([
      '/things',
      '/things/call',
      '/things/7',
      '/things/%ff',
      '/things/calls/%2e',
      '//',
      '/../x',
      '/%',
    ]);
    const query = this.#random.pick([
      '',
      '',
      '?limit=x',
      '?limit=1&limit=2',
      '?%00=%00',
      '?__proto__=1',
      `?kind=${'é'.repeat(9)}`,
    ]);
    return `/api/v1${path}${query}`;
  }

  #headers(): string[] {
    return [
      this.#random.pick([
        'Content-Type: application/json',
        'Content-Type: application/json',
        'Content-Type: ,;=',
        'A: b',
      ]),
      this.#random.pick([
        'X-Request-Id: \xff\xfe',
        'traceparent: 00-0-0-0',
        'Content-Encoding: br',
        'Expect: 7',
        'Accept: */*',
      ]),
    ];
  }

  #body(): Buffer {
    const text = this.#random.pick([
      '',
      '{',
      '[]',
      'null',
      '"',
      '{"name":"a"}',
      '{"name":"\\u0000"}',
      '{"name":"\\ud800"}',
      '{"name":1e999}',
      '{"name":"a","name":"b"}',
      '{"__proto__":{}}',
      `{"input":${'['.repeat(500)}`,
      `{"input":${'{"a":'.repeat(70)}`,
      '{"input":{"a":"\\',
      '{"name":"a"}}}}]]',
      `{"input":{"a":${'9'.repeat(400)}}}`,
      '\ufeff{}',
      '{"count":-0}',
    ]);
    return this.#random.chance(0.3) ? this.#damage(Buffer.from(text)) : Buffer.from(text);
  }

  #damage(bytes: Buffer): Buffer {
    const damaged = Buffer.from(bytes);
    for (let i = 0; i < 3 && damaged.length > 0; i += 1) {
      damaged[this.#random.below(damaged.length)] = this.#random.below(256);
    }
    return damaged.subarray(0, Math.ceil(damaged.length * (0.5 + this.#random.next() / 2)));
  }
}

describe('malformed requests', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer(things, {
      settings: { request_timeout_ms: 600 },
      bounds: { headersTimeoutMs: 500, checkIntervalMs: 50 },
    });
  });
  after(() => server.close());

  it(`never make a fault of the server, and are always answered (${COUNT} of them)`, async function () {
    this.timeout(60_000);
    const malformer = new Malformer(7);
    const statuses = new Map<string, number>();
    for (let sent = 0; sent < COUNT; sent += 50) {
      const batch = Array.from({ length: 50 }, () => exchange(server.port, malformer.request()));
      for (const answer of await Promise.all(batch)) {
        const status = /^HTTP\/1\.1 (\d{3})/.exec(answer.text)?.[1] ?? 'none';
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const hasBody = /\r\n\r\n./s.test(answer.text);
        if (status >= '400' && hasBody) expect(answer.text).to.contain('application/problem+json');
        expect(answer.ms).to.be.lessThan(4000);
      }
    }
    const seen = [...statuses.keys()];
    expect(seen.filter((status) => status >= '500')).to.deep.equal([]);
    expect(seen).to.include.members(['200', '400', '404', '405', '408', '415', '422']);
    expect(server.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
    expect((await server.request('GET', '/things')).status).to.equal(200);
  });
});

async function exchange(port: number, bytes: Buffer): Promise<{ text: string; ms: number }> {
  const socket = await openSocket(port);
  const began = performance.now();
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  const closed = new Promise<void>((resolve) =>
    socket.on('close', () => resolve()).on('error', () => undefined),
  );
  socket.write(bytes);
  await closed;
  return { text, ms: performance.now() - began };
}
