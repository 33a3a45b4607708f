import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { withDeadline } from '../../../core/support/deadline.ts';

const LONG_MS = 20_000;
const late = (): never => {
  throw new Error('too late');
};
const never = new Promise<never>(() => undefined);
const said = (work: Promise<unknown>): Promise<unknown> => work.catch((error: Error) => error.message);

describe('waiting with a deadline', () => {
  it('answers what the work answers', async () => {
    expect(await withDeadline(LONG_MS, Promise.resolve('done'), late)).to.equal('done');
  });

  it('throws what the work throws', async () => {
    expect(await said(withDeadline(LONG_MS, Promise.reject(new Error('burnt')), late))).to.equal('burnt');
  });

  it('throws the error of `late` at the deadline', async () => {
    expect(await said(withDeadline(1, never, late))).to.equal('too late');
  });

  it('returns the value of `late` at the deadline', async () => {
    expect(await withDeadline<string>(1, never, () => 'none')).to.equal('none');
  });

  it('answers what came in time while the process stood still', async () => {
    const other = new Worker(
      `const { parentPort } = require('node:worker_threads');
       parentPort.on('message', (message) => parentPort.postMessage(message));`,
      { eval: true },
    );
    await once(other, 'online');
    await turn();
    const answer = once(other, 'message');
    other.postMessage('done');
    const answered = withDeadline(50, answer, late);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    const found = await said(answered);
    await other.terminate();
    expect(found).to.deep.equal(['done']);
  });

  it('does nothing late when the work is done in time', async () => {
    let made = 0;
    const counted = (): void => void (made += 1);
    await withDeadline(1, Promise.resolve(), counted);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(made).to.equal(0);
  });
});
