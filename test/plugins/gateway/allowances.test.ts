import { expect } from 'chai';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { systemClock } from '../../../core/testing.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { Allowances } from '../../../plugins/gateway/limits/allowances.ts';
import type { LimitStore } from '../../../plugins/gateway/limits/limit-store.ts';

/** A store that several instances share, and that records its requests. */
function makeStore() {
  const limiters = new Map<number, RateLimiterMemory>();
  const questions: number[] = [];
  class Asked extends RateLimiterMemory {
    override consume(...order: Parameters<RateLimiterMemory['consume']>) {
      questions.push(order[1] ?? 1);
      return super.consume(...order);
    }
  }
  const limiterOf: LimitStore['limiterOf'] = ({ requests: points, windowS: duration }) => {
    const limiter = limiters.get(points) ?? new Asked({ points, duration });
    limiters.set(points, limiter);
    return limiter;
  };
  return { limiterOf, questions };
}

const limit = (requests: number, windowS = 60) => ({ key: 'user:one', requests, windowS });

describe('allowances', () => {
  const { now } = Date;
  let store: ReturnType<typeof makeStore>;
  let allowances: Allowances;
  beforeEach(() => {
    store = makeStore();
    allowances = new Allowances({ store, clock: systemClock });
  });
  afterEach(() => {
    Date.now = now;
  });

  const take = async (times: number, requests: number, from = allowances): Promise<number> => {
    const grants = await Promise.all(Array.from({ length: times }, async () => from.take(limit(requests))));
    return grants.filter(({ allowed }) => allowed).length;
  };
  const setClockBack = (milliseconds: number): void => {
    Date.now = () => now() - milliseconds;
  };

  it('let exactly as many requests pass as the limit', async () => {
    expect(await take(50, 7)).to.equal(7);
  });

  it('take a hundredth of what is left from the second round trip on, and spend it without asking', async () => {
    for (let i = 0; i < 2; i++) await allowances.take(limit(1000));
    expect(store.questions).to.deep.equal([1, 9]);
    for (let i = 0; i < 8; i++) expect(allowances.take(limit(1000))).not.to.be.a('promise');
    expect(store.questions).to.deep.equal([1, 9]);
  });

  it('ask once for all requests that arrive during a round trip', async () => {
    await allowances.take(limit(100_000));
    await take(500, 100_000);
    expect(store.questions).to.deep.equal([1, 999]);
  });

  it('take a thousand at most', async () => {
    for (let i = 0; i < 5000; i++) await allowances.take(limit(1_000_000));
    expect(store.questions).to.deep.equal([1, ...Array.from({ length: 5 }, () => 1000)]);
  });

  it('take the last requests one by one', async () => {
    for (let i = 0; i < 300; i++) await allowances.take(limit(600));
    expect(store.questions).to.have.length.below(100);
    store.questions.length = 0;
    for (let i = 0; i < 300; i++) await allowances.take(limit(600));
    expect(store.questions.slice(-199)).to.deep.equal(Array.from({ length: 199 }, () => 1));
  });

  it('report what is left after each', async () => {
    const remaining = [];
    for (let i = 0; i < 3; i++) remaining.push((await allowances.take(limit(500))).remaining);
    expect(remaining).to.deep.equal([499, 498, 497]);
  });

  it('of several instances together never exceed the limit', async () => {
    const other = new Allowances({ store, clock: systemClock });
    const passed = await Promise.all([take(400, 500), take(400, 500, other)]);
    expect(passed[0] + passed[1]).to.be.within(495, 500);
  });

  it('of many instances use at least 99 % of the limit, and no more than the limit', async () => {
    const random = seededRandom(7);
    const all = Array.from({ length: 12 }, () => new Allowances({ store, clock: systemClock }));
    const passed = [];
    for (let i = 0; i < 1000; i++) passed.push((await random.pick(all).take(limit(600))).allowed);
    expect(passed.indexOf(false)).to.be.at.least(590);
    expect(passed.filter(Boolean)).to.have.length.within(590, 600);
  });

  it('can be given back, in the same window only', async () => {
    const first = await allowances.take(limit(3));
    const second = await allowances.take(limit(3));
    expect(allowances.giveBack(limit(3), second).remaining).to.equal(2);
    expect(await take(5, 3)).to.equal(2);
    allowances.giveBack(limit(3), { ...first, endsAt: first.endsAt - 60_000 });
    expect(await take(1, 3)).to.equal(0);
  });

  it('can be given back after the limit was exhausted', async () => {
    const first = await allowances.take(limit(1));
    expect(await take(3, 1)).to.equal(0);
    allowances.giveBack(limit(1), first);
    expect(await take(3, 1)).to.equal(1);
  });

  it('ask again in the next window', async () => {
    const clock = { ...systemClock, elapsed: () => systemClock.elapsed() + ahead };
    let ahead = 0;
    const next = new Allowances({ store, clock });
    await next.take(limit(1000));
    await next.take(limit(1000));
    ahead = 60_000;
    await next.take(limit(1000));
    expect(store.questions).to.deep.equal([1, 9, 1]);
  });

  it('can be read without being spent', async () => {
    await allowances.take(limit(5));
    const { remaining, running } = await allowances.peek(limit(5));
    expect({ remaining, running }).to.deep.equal({ remaining: 4, running: true });
    expect((await allowances.take(limit(5))).remaining).to.equal(3);
  });

  it('begin a new window when the old one would last for hours because the clock was set back', async () => {
    await take(5, 5);
    setClockBack(7_200_000);
    expect((await allowances.peek(limit(5))).running).to.equal(false);
    const { allowed, remaining, resetMs } = await allowances.take(limit(5));
    expect({ allowed, remaining }).to.deep.equal({ allowed: true, remaining: 4 });
    expect(resetMs).to.be.within(1, 60_000);
  });

  it('continue the window when clocks differ by some seconds', async () => {
    await take(4, 5);
    setClockBack(10_000);
    const { remaining, resetMs } = await allowances.take(limit(5));
    expect(remaining).to.equal(0);
    expect(resetMs).to.be.within(1, 60_000);
  });

  it('fail for all waiting requests when the store fails', async () => {
    class Broken extends RateLimiterMemory {
      override consume = () => Promise.reject(new Error('away'));
    }
    const broken = new Allowances({
      store: { limiterOf: () => new Broken({ points: 1, duration: 60 }) },
      clock: systemClock,
    });
    const answers = await Promise.allSettled([broken.take(limit(1)), broken.take(limit(1))]);
    expect(answers.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
  });
});
