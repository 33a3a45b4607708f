import { expect } from 'chai';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { counterOver, UNLIMITED } from '../../../plugins/gateway/limits/store-counter.ts';
import type { WindowCounter } from '../../../plugins/gateway/limits/window-counter.ts';

const HOUR_MS = 3_600_000;

describe('counting in a store that measures with the wall clock', () => {
  const { now } = Date;
  let counter: WindowCounter;
  beforeEach(() => {
    counter = counterOver(new RateLimiterMemory(UNLIMITED));
  });
  afterEach(() => {
    Date.now = now;
  });

  const setBack = (milliseconds: number): void => {
    Date.now = () => now() - milliseconds;
  };

  it('begins anew when a window would last for hours because the clock was set back', async () => {
    await counter.add('key', 5, 60);
    setBack(2 * HOUR_MS);
    expect(await counter.read('key', 60)).to.equal(undefined);
    expect(await counter.add('key', 1, 60)).to.deep.equal({ count: 1, endsInMs: 60_000 });
    expect((await counter.add('key', 1, 60)).count).to.equal(2);
  });

  it('goes on counting when clocks are some seconds apart', async () => {
    await counter.add('key', 5, 60);
    setBack(10_000);
    expect((await counter.read('key', 60))?.count).to.equal(5);
    expect((await counter.add('key', 1, 60)).count).to.equal(6);
  });
});
