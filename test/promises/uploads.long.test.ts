import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { onEveryEngine } from '../../core/testing.ts';
import { growthDuring, hasProc } from '../support/resident-memory.ts';
import { startScene, type Scene } from './support/scene.ts';

const AT_ONCE = 100;
const MEBIBYTE = 1024 * 1024;
const MOST_GROWTH = 64 * MEBIBYTE;
const DEADLINE_MS = 3000;
/** Rounds after which such requests alone let the service grow no more. */
const WARM_UPS = 5;

const PIECE = `10000\r\n${'x'.repeat(65_536)}\r\n`;

/** How the body of an upload is framed, how it goes on until the connection closes, and what comes of it. */
interface Upload {
  readonly path: string;
  readonly framing: string;
  readonly send: (socket: Socket) => void;
  readonly statuses: readonly string[];
}

function writeForEver(socket: Socket): void {
  const write = (): void => {
    while (!socket.destroyed && socket.write(PIECE));
  };
  socket.on('drain', write);
  write();
}

async function drip(socket: Socket): Promise<void> {
  while (!socket.destroyed) {
    socket.write('1\r\nx\r\n'.repeat(20));
    await pause(100);
  }
}

const chunked = 'Transfer-Encoding: chunked';
/** A client that only writes may lose its answer with the connection, and one that others leave no time may be late. */
const refusals = ['413', '503', '408', ''];

const announcedAsHuge: Upload = {
  path: '/algorithms/call',
  framing: 'Content-Length: 99999999999',
  send: (socket) => socket.write('x'.repeat(65_536)),
  statuses: ['413'],
};
const uploads: Readonly<Record<string, Upload>> = {
  'announced as huge': announcedAsHuge,
  'without end': {
    path: '/algorithms',
    framing: chunked,
    send: writeForEver,
    statuses: refusals,
  },
  'calls without end': {
    path: '/algorithms/call',
    framing: chunked,
    send: writeForEver,
    statuses: refusals,
  },
  compressed: {
    path: '/algorithms/call',
    framing: `${chunked}\r\nContent-Encoding: gzip`,
    send: writeForEver,
    statuses: ['415', ''],
  },
  'byte by byte': {
    path: '/algorithms/call',
    framing: chunked,
    send: (socket) => void drip(socket),
    statuses: ['408'],
  },
};

(hasProc ? describe : describe.skip)(`${AT_ONCE} uploads at once of what is too much or too slow`, () => {
  onEveryEngine((engine) => {
    let scene: Scene;
    beforeEach(async () => {
      scene = await startScene(engine, {
        SERVER_REQUEST_TIMEOUT_MS: String(DEADLINE_MS),
      });
    });
    afterEach(() => scene?.remove());

    /** The status that the client gets before the service closes the connection. */
    function statusOf({ path, framing, send }: Upload): Promise<string> {
      const socket = connect(Number(new URL(scene.url).port), '127.0.0.1');
      socket.write(
        `POST /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${scene.token}\r\n` +
          `Content-Type: application/json\r\n${framing}\r\n\r\n`,
      );
      send(socket);
      return new Promise((resolve) => {
        let answer = '';
        socket.on('data', (bytes) => (answer += bytes.toString('latin1')));
        socket.on('error', () => undefined).on('close', () => resolve(answer.slice(9, 12)));
      });
    }

    const all = (upload: Upload): Promise<string[]> =>
      Promise.all(Array.from({ length: AT_ONCE }, () => statusOf(upload)));

    it('are refused, closed, and held in little memory', async () => {
      for (let round = 0; round < WARM_UPS; round += 1) await all(announcedAsHuge);
      for (const [what, upload] of Object.entries(uploads)) {
        let statuses: string[] = [];
        const growth = await growthDuring(scene.pid, async () => {
          statuses = await all(upload);
        });
        expect(upload.statuses, what).to.include.members([...new Set(statuses)]);
        expect(statuses.join(''), what).to.not.equal('');
        expect(growth, what).to.be.below(MOST_GROWTH);
        expect(await scene.read('/health'), what).to.deep.equal({ status: 'healthy' });
      }
    }).timeout(120_000);
  });
});
