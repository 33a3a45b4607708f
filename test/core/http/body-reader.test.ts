import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { BodyReader } from '../../../core/http/body-reader.ts';
import { heldBytes } from '../../support/held-bytes.ts';
import { openSocket } from './support.ts';

const MIB = 1024 * 1024;
const CHUNKS = 200_000;

describe('a body that comes byte by byte', () => {
  let server: Server;
  let arrivals: Promise<IncomingMessage>;

  beforeEach(async () => {
    server = createServer();
    arrivals = new Promise((resolve) => server.once('request', resolve));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it(`holds little more than its bytes while ${CHUNKS} chunks of one byte arrive, and is whole at the end`, async () => {
    const socket = await openSocket((server.address() as AddressInfo).port);
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    const req = await arrivals;
    const before = heldBytes();
    const body = new BodyReader(64 * MIB).read(req, { bodyLimit: MIB, bodyTimeoutMs: undefined });
    const allCame = chunksOf(req, CHUNKS);
    socket.write('1\r\nx\r\n'.repeat(CHUNKS));
    await allCame;
    const grown = heldBytes() - before;
    socket.end('0\r\n\r\n');
    const whole = await body;
    expect(grown).to.be.below(8 * MIB);
    expect(whole.equals(Buffer.alloc(CHUNKS, 'x'))).to.equal(true);
  });
});

function chunksOf(req: IncomingMessage, count: number): Promise<void> {
  let came = 0;
  return new Promise((resolve) => {
    req.on('data', () => {
      came += 1;
      if (came === count) resolve();
    });
  });
}
