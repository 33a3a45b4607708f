import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { systemClock } from '../../../core/support/clock.ts';
import { LoopLoad } from '../../../core/support/loop-load.ts';

async function work(milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds;
  while (performance.now() < until) await new Promise(setImmediate);
}

describe('the load of the event loop', () => {
  it('is nearly one while the loop works, and little while it waits', async () => {
    const load = new LoopLoad(systemClock);
    await work(150);
    expect(load.share).to.be.above(0.9);
    await pause(500);
    expect(load.share).to.be.below(0.5);
  });

  it('is that of a tenth of a second at least', async () => {
    let now = 0;
    const load = new LoopLoad({ now: () => now, elapsed: () => now });
    await work(150);
    now = 150;
    const before = load.share;
    await pause(20);
    now = 249;
    expect(load.share).to.equal(before);
    now = 250;
    expect(load.share).not.to.equal(before);
  });
});
