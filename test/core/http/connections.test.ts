import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';
import type { Socket } from 'node:net';
import { until } from '../../support/until.ts';
import { holding } from './holding-fixture.ts';
import { things } from './routes-fixture.ts';
import { lifetime, openSocket, sendRaw, startServer, type TestServer } from './support.ts';

const ask = 'GET /api/v1/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

describe('more connections than the limit', () => {
  const sockets: Socket[] = [];
  let server: TestServer;
  let release: () => void;
  beforeEach(async () => {
    const gate = new Promise<void>((resolve) => (release = resolve));
    const hold = holding(() => gate.then(() => ({})));
    server = await startServer([...things, hold], { settings: { max_connections: 3 } });
  });
  afterEach(async () => {
    release();
    for (const socket of sockets.splice(0)) socket.destroy();
    await server.close();
  });

  const open = async (bytes = ''): Promise<Socket> => {
    const socket = await openSocket(server.port);
    sockets.push(socket);
    socket.resume().write(bytes);
    await pause(20);
    return socket;
  };

  it('close the one that has waited longest without a whole request, and serve the new one', async () => {
    const oldest = await open('GET /api/v1/things HTTP/1.1\r\n');
    const slowBody = await open(
      'POST /api/v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    const latest = await open();
    const gone = lifetime(oldest);
    expect(await sendRaw(server.port, ask)).to.match(/^HTTP\/1\.1 200 /);
    await gone;
    expect([slowBody.destroyed, latest.destroyed]).to.deep.equal([false, false]);
  });

  it('measure the wait of a connection from its last answer', async () => {
    const used = await open();
    const idle = await open();
    used.write('GET /api/v1/things HTTP/1.1\r\nHost: x\r\n\r\n');
    await pause(50);
    await open();
    const gone = lifetime(idle);
    expect(await sendRaw(server.port, ask)).to.match(/^HTTP\/1\.1 200 /);
    await gone;
    expect(used.destroyed).to.equal(false);
  });

  it('do not close those with a request in progress', async () => {
    const held = Array.from({ length: 3 }, () => server.request('GET', '/hold'));
    await until(() => server.inFlight() >= 3);
    expect(await sendRaw(server.port, ask)).to.equal('');
    release();
    expect((await Promise.all(held)).map(({ status }) => status)).to.deep.equal([200, 200, 200]);
  });
});
