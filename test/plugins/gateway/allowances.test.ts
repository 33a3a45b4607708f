import { expect } from 'chai';
import { systemClock } from '../../../core/testing.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { Allowances } from '../../../plugins/gateway/limits/allowances.ts';
import type { WindowCounter } from '../../../plugins/gateway/limits/window-counter.ts';

/** A store that several instances share, and that tells what it was asked. */
function makeStore(endsInMs = 60_000) {
  const counts = new Map<string, number>();
  const questions: number[] = [];
  const counter: WindowCounter = {
    away: [],
    add: async (key, requests) => {
      questions.push(requests);
      const count = (counts.get(key) ?? 0) + requests;
      counts.set(key, count);
      return { count, endsInMs };
    },
    read: async (key) => {
      const count = counts.get(key);
      return count === undefined ? undefined : { count, endsInMs };
    },
  };
  return { counter, questions, counts };
}

const limit = (requests: number) => ({ key: 'user:one', requests, windowS: 60 });

describe('allowances', () => {
  let store: ReturnType<typeof makeStore>;
  let allowances: Allowances;
  beforeEach(() => {
    store = makeStore();
    allowances = new Allowances({ counter: store.counter, clock: systemClock });
  });

  const take = async (times: number, requests: number, from = allowances): Promise<number> => {
    const grants = await Promise.all(Array.from({ length: times }, async () => from.take(limit(requests))));
    return grants.filter(({ allowed }) => allowed).length;
  };

  it('let exactly the limit pass', async () => {
    expect(await take(50, 7)).to.equal(7);
  });

  it('ask once for all who came while the store was asked', async () => {
    await take(50, 1000);
    expect(store.questions).to.deep.equal([1, 49]);
  });

  it('take a hundredth of what is left in advance from the second on, and spend it without asking', async () => {
    for (let i = 0; i < 2; i++) await allowances.take(limit(1000));
    expect(store.questions).to.deep.equal([1, 9]);
    for (let i = 0; i < 8; i++) expect(allowances.take(limit(1000))).not.to.be.a('promise');
    expect(store.questions).to.deep.equal([1, 9]);
  });

  it('take a thousand in advance, and no more, of a limit that is larger than most', async () => {
    for (let i = 0; i < 5000; i++) await allowances.take(limit(1_000_000));
    expect(store.questions).to.deep.equal([1, ...Array.from({ length: 5 }, () => 1000)]);
  });

  it('take less in advance with what is left, and nothing of the last ones', async () => {
    for (let i = 0; i < 300; i++) await allowances.take(limit(600));
    expect(store.questions).to.have.length.below(100);
    store.questions.length = 0;
    for (let i = 0; i < 300; i++) await allowances.take(limit(600));
    expect(store.questions.slice(-199)).to.deep.equal(Array.from({ length: 199 }, () => 1));
  });

  it('tell what is left after each', async () => {
    const remaining = [];
    for (let i = 0; i < 3; i++) remaining.push((await allowances.take(limit(500))).remaining);
    expect(remaining).to.deep.equal([499, 498, 497]);
  });

  it('do not ask again while nothing is left', async () => {
    await take(3, 2);
    const asked = store.questions.length;
    expect(await take(100, 2)).to.equal(0);
    expect(store.questions).to.have.length(asked);
  });

  it('of several instances never pass more than the limit together', async () => {
    const other = new Allowances({ counter: store.counter, clock: systemClock });
    const passed = await Promise.all([take(400, 500), take(400, 500, other)]);
    expect(passed[0] + passed[1]).to.equal(500);
  });

  for (const instances of [12, 40]) {
    it(`of ${instances} instances refuse nobody before the limit is all but reached`, async () => {
      const all = Array.from(
        { length: instances },
        () => new Allowances({ counter: store.counter, clock: systemClock }),
      );
      const passed = [];
      for (let i = 0; i < 700; i++) passed.push((await all[i % instances]!.take(limit(600))).allowed);
      expect(passed.indexOf(false)).to.be.at.least(595);
      expect(passed.filter(Boolean)).to.have.length(600);
    });
  }

  it('of instances that are asked by chance pass the limit all but whole, and no more', async () => {
    const random = seededRandom(7);
    const all = Array.from(
      { length: 12 },
      () => new Allowances({ counter: store.counter, clock: systemClock }),
    );
    const passed = [];
    for (let i = 0; i < 1000; i++) {
      passed.push((await random.pick(all).take(limit(600))).allowed);
    }
    expect(passed.indexOf(false)).to.be.at.least(590);
    expect(passed.filter(Boolean)).to.have.length.within(590, 600);
  });

  const others = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++) await allowances.take({ ...limit(600), key: `user:other-${i}` });
  };

  it('of more callers than are held lose nothing when one is forgotten', async () => {
    for (let round = 0; round < 5; round++) {
      await take(1, 600);
      await others(10_050);
    }
    expect(store.counts.get('user:one:60')).to.equal(5);
  });

  it('are held for as long as others hold nothing', async () => {
    for (let i = 0; i < 3; i++) await take(1, 600);
    await others(10_050);
    expect(allowances.take(limit(600))).not.to.be.a('promise');
  });

  it('are there again when they are given back, for the next one and in the same window alone', async () => {
    const first = await allowances.take(limit(3));
    const second = await allowances.take(limit(3));
    expect(allowances.giveBack(limit(3), second).remaining).to.equal(2);
    expect(await take(5, 3)).to.equal(2);
    allowances.giveBack(limit(3), { ...first, endsAt: first.endsAt - 60_000 });
    expect(await take(1, 3)).to.equal(0);
  });

  it('ask again in the next window', async () => {
    const short = makeStore(0);
    const next = new Allowances({ counter: short.counter, clock: systemClock });
    await next.take(limit(2));
    await new Promise((resolve) => setTimeout(resolve, 5));
    short.counts.clear();
    expect((await next.take(limit(2))).allowed).to.equal(true);
    expect(short.questions).to.have.length(2);
  });

  it('can be looked at without being spent', async () => {
    await allowances.take(limit(5));
    const { remaining, running } = await allowances.peek(limit(5));
    expect({ remaining, running }).to.deep.equal({ remaining: 4, running: true });
    expect((await allowances.take(limit(5))).remaining).to.equal(3);
  });

  it('hold for no longer than the window, whatever the store says after its clock was set back', async () => {
    const late = makeStore(7_200_000);
    const behind = new Allowances({ counter: late.counter, clock: systemClock });
    await behind.take(limit(1));
    const refused = await behind.take(limit(1));
    expect(refused.allowed).to.equal(false);
    expect(refused.resetMs).to.be.within(1, 60_000);
    expect((await behind.peek(limit(1))).resetMs).to.equal(60_000);
  });

  it('fail for all who wait when the store does', async () => {
    const broken = new Allowances({
      counter: { ...store.counter, add: () => Promise.reject(new Error('away')) },
      clock: systemClock,
    });
    const answers = await Promise.allSettled([broken.take(limit(1)), broken.take(limit(1))]);
    expect(answers.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
  });
});
