import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { DroppedBodies } from '../../../core/http/dropped-bodies.ts';
import { until } from '../../support/until.ts';

const MEBIBYTE = 1024 * 1024;
const WATCHED_MS = 500;
const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\n';

describe('bodies that are dropped', () => {
  const sockets: Socket[] = [];
  let server: Server;
  let read: number;
  beforeEach(async () => {
    const dropped = new DroppedBodies();
    read = 0;
    server = createServer((req, res) => {
      req.on('data', ({ length }: Buffer) => (read += length));
      req.once('end', () => res.end('read'));
      dropped.drop(req);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close().closeAllConnections();
    await once(server, 'close');
  });

  function send(framing: string): Socket {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    socket.write(`${HEAD}${framing}\r\n\r\n`);
    return socket;
  }

  function sendWithoutEnd(): void {
    const socket = send('Content-Length: 99999999999');
    const piece = Buffer.alloc(65_536, 'x');
    const write = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', write);
    write();
  }

  it('are read no faster than 160 MiB a second, of all together', async () => {
    const began = performance.now();
    for (let client = 0; client < 8; client += 1) sendWithoutEnd();
    while (read <= 8 * MEBIBYTE) await pause(WATCHED_MS);
    const watchedMs = performance.now() - began;
    // One piece more of each in each while, and one while more.
    const most = ((4 + 8 / 16) * MEBIBYTE * (watchedMs + 50)) / 25;
    expect(read).to.be.below(most);
  });

  it('are read to their end', async () => {
    const size = 20 * MEBIBYTE;
    const socket = send(`Content-Length: ${size}\r\nConnection: close`);
    socket.write(Buffer.alloc(size, 'x'));
    let answer = '';
    socket.on('data', (bytes) => (answer += bytes.toString()));
    await once(socket, 'close');
    expect(answer).to.match(/^HTTP\/1\.1 200 [^]*\r\n\r\n[^]*read/);
    expect(read).to.equal(size);
  });

  it('are forgotten when their client goes', async () => {
    sendWithoutEnd();
    await until(() => read >= 4 * MEBIBYTE);
    sockets.pop()!.destroy();
    await pause(50);
    const before = read;
    sendWithoutEnd();
    await until(() => read > before + 8 * MEBIBYTE, 5_000);
    expect(read).to.be.above(before + 8 * MEBIBYTE);
  });
});
