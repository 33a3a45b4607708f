import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { egressWith, get } from './servers.ts';

/** A server in another thread, which runs while the thread of the test is blocked. */
const SERVER = `
  const { createServer } = require('node:http');
  const { parentPort } = require('node:worker_threads');
  const server = createServer((_, response) => {
    parentPort.postMessage('asked');
    setTimeout(() => response.end('done'), 100);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

describe('the deadline of a request', () => {
  it('does not fail an answer that arrived in time while the process was blocked', async () => {
    const server = new Worker(SERVER, { eval: true });
    const egress = egressWith();
    try {
      const [port] = await once(server, 'message');
      const answer = egress.request(get(`http://127.0.0.1:${port}/`, 'endpoint', { timeoutMs: 1_000 }));
      await Promise.race([once(server, 'message'), answer]);
      await turn();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
      expect((await answer).body.toString()).to.equal('done');
    } finally {
      await egress.close();
      await server.terminate();
    }
  });
});
