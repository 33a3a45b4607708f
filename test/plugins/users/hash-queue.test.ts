import { expect } from 'chai';
import type { Problem } from '../../../core/index.ts';
import { HashQueue } from '../../../plugins/users/hash-queue.ts';

/** Work that ends when the test says so, and counts how much of it runs at once. */
function workshop() {
  const ends: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const work = () =>
    new Promise<void>((resolve) => {
      most = Math.max(most, ++running);
      ends.push(() => {
        running -= 1;
        resolve();
      });
    });
  return { work, ends, most: () => most };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the queue of password hashes', () => {
  it('runs one at a time', async () => {
    const { work, ends, most } = workshop();
    const queue = new HashQueue(10);
    const all = Promise.all([1, 2, 3, 4, 5].map(() => queue.run(work)));
    for (let ended = 0; ended < 5; ended++) {
      ends[ended]!();
      await turn();
    }
    await all;
    expect(most()).to.equal(1);
  });

  it('goes on after work that failed', async () => {
    const queue = new HashQueue(10);
    const failing = queue.run(() => Promise.reject(new Error('broken'))).catch(() => 'failed');
    const next = queue.run(async () => 'done');
    expect(await Promise.all([failing, next])).to.deep.equal(['failed', 'done']);
  });

  it('refuses with 503 and Retry-After when too many wait', async () => {
    const { work } = workshop();
    const queue = new HashQueue(1);
    void queue.run(work);
    void queue.run(work);
    const refused: unknown = await queue.run(work).catch((error: unknown) => error);
    expect([(refused as Problem).status, (refused as Problem).extras.headers]).to.deep.equal([
      503,
      { 'Retry-After': '2' },
    ]);
  });
});
