import { expect } from 'chai';
import { routesWith } from '../../../core/http/routing/route.ts';
import { jsonObject } from '../../../core/http/validation/schemas.ts';
import { until } from '../../support/until.ts';
import { things } from './routes-fixture.ts';
import { openSocket, sendRaw, startServer, type TestServer } from './support.ts';

const MIB = 1024 * 1024;
const json = { 'Content-Type': 'application/json' };

const headOf = (path: string): string =>
  `POST /api/v1${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('limits of bodies', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer(things, {
      settings: { body_limit: 1024, large_body_limit: 4096 },
      bounds: { checkIntervalMs: 50 },
    });
  });
  after(() => server.close());

  const body = (size: number): string => `{"input":{"a":"${'x'.repeat(size - 18)}"}}`;

  it('accept a body of exactly the limit', async () => {
    expect(
      (await server.request('POST', '/things/call', { body: body(4096), headers: json })).status,
    ).to.equal(200);
  });

  it('refuse one byte more, close the connection and name the limit', async () => {
    const answer = await server.request('POST', '/things/call', { body: body(4097), headers: json });
    expect(answer.status).to.equal(413);
    expect(answer.body.detail).to.contain('4096');
  });

  it('are smaller for operations that carry no data', async () => {
    const answer = await server.request('POST', '/things', { body: body(1025), headers: json });
    expect(answer.status).to.equal(413);
  });

  it('hold for bodies of unannounced length', async () => {
    const head = `${headOf('/things')}Transfer-Encoding: chunked\r\n\r\n`;
    const chunk = `400\r\n${'x'.repeat(1024)}\r\n`;
    const answer = await sendRaw(server.port, head + chunk.repeat(100));
    expect(answer).to.match(/^HTTP\/1\.1 413 /);
    expect(answer).to.contain('Connection: close');
  });

  it('let a client that sends everything before it reads see the refusal', async () => {
    const head = `POST /api/v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: ${16 * MIB}\r\n\r\n`;
    const socket = (await openSocket(server.port)).pause();
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.write(Buffer.concat([Buffer.from(head), Buffer.alloc(16 * MIB, 'x')]), () => resolve());
    });
    const answer = (await socket.resume().take(1).toArray())[0] as Buffer;
    socket.destroy();
    expect(answer.toString()).to.match(/^HTTP\/1\.1 415 /);
  });

  it('do not wait for an announced body that is too large', async () => {
    const head = `${headOf('/things')}Content-Length: 99999999\r\n\r\n`;
    const answer = await sendRaw(server.port, head);
    expect(answer).to.match(/^HTTP\/1\.1 413 /);
    expect(answer).to.contain('Connection: close');
  });

  it('refuse large bodies when too many are arriving, spare small ones, and recover', async () => {
    const crowded = await startServer(things, { bounds: { bodyMemory: 300_000 } });
    const post = (size: number) =>
      crowded.request('POST', '/things/call', { body: body(size), headers: json });
    const slow = await Promise.all(Array.from({ length: 3 }, () => openSocket(crowded.port)));
    for (const socket of slow) {
      socket.write(`${headOf('/things/call')}Content-Length: 100000\r\n\r\n${'x'.repeat(99_999)}`);
    }
    await pause(50);
    const [large, small] = [await post(100_000), await post(50_000)];
    for (const socket of slow) socket.destroy();
    await pause(50);
    const later = await post(100_000);
    await crowded.close();
    expect([large.status, small.status, later.status]).to.deep.equal([503, 200, 200]);
  });

  it('leave the connection usable after a small body that is not read', async () => {
    const request = (more = '') =>
      `POST /api/v1/nothing HTTP/1.1\r\nHost: x\r\n${more}Content-Length: 5\r\n\r\nhello`;
    const answer = await sendRaw(server.port, request() + request('Connection: close\r\n'));
    expect(answer.match(/HTTP\/1\.1 404 /g)).to.have.length(2);
  });
});

describe('a client that leaves before its body is read', () => {
  it('is not waited for', async () => {
    let verified: () => void = () => undefined;
    const verifying = new Promise<undefined>((resolve) => (verified = () => resolve(undefined)));
    const server = await startServer(things, { verifiers: [{ name: 'slow', verify: () => verifying }] });
    const socket = await openSocket(server.port);
    socket.write(`${headOf('/things')}Content-Length: 100\r\n\r\n{`);
    await until(() => server.inFlight() >= 1);
    socket.destroy();
    await pause(30);
    verified();
    await pause(30);
    const lines = server.lines.map(({ status }) => status);
    await server.close();
    expect(lines).to.deep.equal([499]);
  });
});

describe('large bodies of requests in progress', () => {
  const calls: { readonly end: () => void; readonly fail: () => void }[] = [];
  const held = routesWith({})({
    method: 'POST',
    path: '/held',
    operationId: 'held',
    summary: 'Waits if told to',
    access: 'public',
    body: jsonObject(),
    bodyLimit: 'large',
    answers: jsonObject(),
    handle: ({ body }) =>
      new Promise<Record<string, unknown>>((resolve, reject) => {
        const end = (): void => resolve({});
        if (body['hold']) calls.push({ end, fail: () => reject(new Error('planted')) });
        else end();
      }),
  });
  const text = (size: number, hold: boolean): string => {
    const start = `{"hold":${hold},"a":"`;
    return `${start}${'x'.repeat(size - start.length - 2)}"}`;
  };
  let server: TestServer;
  const post = (body: string) => server.request('POST', '/held', { body, headers: json });
  const passing = async (size: number): Promise<number> => (await post(text(size, false))).status;
  const heldCalls = async (count: number): Promise<void> => {
    await until(() => calls.length >= count);
  };
  const sending = async (body: string) => {
    const socket = await openSocket(server.port);
    socket.write(`${headOf('/held')}Content-Length: 90000\r\n\r\n${body}`);
    return socket;
  };

  beforeEach(async () => {
    calls.length = 0;
    server = await startServer([held], { bounds: { bodyMemory: 210_000 } });
  });
  afterEach(() => server.close());

  it('keep out further large ones, but not small ones, until they are finished', async () => {
    const large: ReturnType<typeof post>[] = [];
    for (let count = 1; count <= 9; count += 1) {
      large.push(post(text(90_000, true)));
      await heldCalls(count);
    }
    const refused = await post(text(90_000, false));
    const small = await passing(50_000);
    for (const { end } of calls) end();
    const answers = await Promise.all(large);
    expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([503, '1']);
    expect(small).to.equal(200);
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(9).fill(200));
    expect(await passing(200_000)).to.equal(200);
  });

  for (const [what, use] of [
    [
      'fail',
      async () => {
        const failed = post(text(90_000, true));
        await heldCalls(1);
        calls.pop()!.fail();
        expect((await failed).status).to.equal(500);
      },
    ],
    ['are no JSON', async () => expect((await post('x'.repeat(90_000))).status).to.equal(400)],
    ['are too large', async () => expect((await post('x'.repeat(9_000_000))).status).to.equal(413)],
    [
      'lose their clients while they arrive',
      async () => {
        const socket = await sending('x'.repeat(89_999));
        await pause(100);
        socket.destroy();
      },
    ],
    [
      'lose their clients while they are worked on',
      async () => {
        const socket = await sending(text(90_000, true));
        await heldCalls(1);
        socket.destroy();
        await pause(50);
        calls.pop()!.end();
      },
    ],
  ] as const) {
    it(`leave nothing behind when they ${what}`, async () => {
      for (let times = 0; times < 10; times += 1) await use();
      await until(async () => (await passing(200_000)) === 200);
    });
  }
});
