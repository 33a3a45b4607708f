import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { onEveryEngine, type TestResponse } from '../../../core/testing.ts';
import { startStage, type Playable, type Stage } from './support/stage.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

type Behaviour = (socket: Socket) => void;

const say =
  (...lines: string[]): Behaviour =>
  (socket) =>
    void socket.write(lines.join('\r\n'));
const head = 'HTTP/1.1 200 OK';

/** Repeats an action until the peer disconnects. */
const forever =
  (first: string, again: string, everyMs: number): Behaviour =>
  (socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(again), everyMs);
    socket.on('close', () => clearInterval(timer));
  };

const hostile: readonly (readonly [string, Behaviour, string])[] = [
  ['never answers', () => undefined, 'upstream_timeout'],
  ['drips its headers', forever(`${head}\r\n`, 'x', 50), 'upstream_timeout'],
  ['drips its body', forever(`${head}\r\ncontent-length: 5000\r\n\r\n`, ' ', 50), 'upstream_timeout'],
  ['stops in the middle of its body', say(head, 'content-length: 50', '', '{"a":'), 'upstream_timeout'],
  ['sends a body without end', forever(`${head}\r\n\r\n`, 'x'.repeat(16_384), 1), 'upstream_bad_response'],
  ['announces a huge body', say(head, 'content-length: 999999999', '', ''), 'upstream_bad_response'],
  [
    'breaks off its body',
    (socket) => socket.end(`${head}\r\ncontent-length: 50\r\n\r\n{"a":`),
    'upstream_bad_response',
  ],
  ['does not speak HTTP', (socket) => socket.end('220 ready\r\n'), 'upstream_bad_response'],
  [
    'sends compressed bytes',
    say(head, 'content-encoding: gzip', 'content-length: 2', '', '\x1f\x8b'),
    'upstream_bad_response',
  ],
  ['resets the connection', (socket) => socket.resetAndDestroy(), 'upstream_unreachable'],
  [
    'sends a flood of headers',
    say(head, ...Array.from({ length: 5000 }, (_, n) => `x-${n}: 1`), 'content-length: 0', '', ''),
    'upstream_bad_response',
  ],
  [
    'sends interim answers without end',
    forever('', 'HTTP/1.1 100 Continue\r\n\r\n', 5),
    'upstream_bad_response',
  ],
];

const LONGEST_MS = 1400;
/** Tries of a call: only a call that is slow every time is slow by itself and not because of a busy machine. */
const TRIES = 5;

describe('An endpoint that', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let server: Server;
    let behave: Behaviour;
    let url: string;
    before(async () => {
      stage = await startStage(engine, undefined, {
        settings: { invocation: { timeout_ms: 400, max_output_bytes: 65_536 } },
      });
      server = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => behave(socket));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    after(async () => {
      await stage.stop();
      server.close();
    });

    /** The first of some calls that ends in time, or else the last; it must have. The endpoint is to have had the time, too. */
    async function quickestCall(played: Playable, code: string): Promise<TestResponse> {
      for (let tries = 1; ; tries += 1) {
        const began = performance.now();
        const answer = await stage.call(played);
        const took = performance.now() - began;
        const isLate = answer.body.error_code === 'upstream_timeout' && code !== 'upstream_timeout';
        if ((took > LONGEST_MS || isLate) && tries < TRIES) continue;
        expect(took).to.be.below(LONGEST_MS);
        return answer;
      }
    }

    for (const [what, behaviour, code] of hostile) {
      it(`${what} ends as ${code} in time, and is recorded`, async () => {
        behave = behaviour;
        const played = await stage.play({ version: { url } });
        const { status, body } = await quickestCall(played, code);
        expect(status).to.equal(200);
        expect(body.status).to.equal('failed');
        expect(body.error_code).to.match(new RegExp(`^${code}`));
        const stored = await stage.request('GET', `/algorithms/calls/${body.id}`, { token: stage.alice });
        expect(stored.body).to.deep.equal(body);
      });
    }

    it('is not there ends as upstream_unreachable', async () => {
      const { body } = await stage.call(await stage.play({ version: { url: 'http://127.0.0.1:1/' } }));
      expect(body).to.include({ status: 'failed', error_code: 'upstream_unreachable' });
    });
  });
});

describe('An endpoint whose address is no longer allowed', () => {
  onEveryEngine((engine) => {
    it('gets no request, and the call is recorded as egress_denied', async () => {
      const scratch = await migratedScratch(engine);
      const open = await startStage(engine, undefined, { scratch });
      const of = await open.play();
      await open.stop();
      const closed = await startStage(engine, undefined, {
        scratch,
        settings: { egress: { policy: 'public' } },
      });
      const { status, body } = await closed.call(of);
      await closed.stop();
      await scratch.remove();
      expect(status).to.equal(200);
      expect(body).to.include({ status: 'failed', error_code: 'egress_denied', output_data: null });
      expect(open.upstream.requests).to.have.length(0);
    });
  });
});
