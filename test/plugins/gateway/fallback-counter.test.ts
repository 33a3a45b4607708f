import { expect } from 'chai';
import type { Logger } from '../../../core/index.ts';
import { FallbackCounter } from '../../../plugins/gateway/limits/fallback-counter.ts';
import type { WindowCount, WindowCounter } from '../../../plugins/gateway/limits/window-counter.ts';

/** A store that answers as it is told, and counts how often it is asked. */
function makeStore(answer: () => Promise<WindowCount>) {
  const store = { asked: 0, answer };
  const ask = (): Promise<WindowCount> => {
    store.asked += 1;
    return store.answer();
  };
  const counter = { add: ask, read: ask, away: [] as string[] };
  return { store, counter: counter satisfies WindowCounter };
}

const counted = (count: number) => async (): Promise<WindowCount> => ({ count, endsInMs: 1000 });

describe('counting with a store to fall back on', () => {
  let now: number;
  let lines: string[];
  let first: ReturnType<typeof makeStore>;
  let second: ReturnType<typeof makeStore>;
  let counter: FallbackCounter;
  beforeEach(() => {
    now = 0;
    lines = [];
    const note = (_fields: object, message: string): void => void lines.push(message);
    first = makeStore(counted(1));
    second = makeStore(counted(2));
    counter = new FallbackCounter(first.counter, second.counter, {
      name: 'Redis',
      clock: { now: () => now, elapsed: () => now },
      logger: { warn: note, info: note } as unknown as Logger,
      deadlineMs: 20,
      restMs: 1000,
    });
  });

  const add = async (): Promise<number> => (await counter.add('key', 1, 60)).count;
  const fails = (): Promise<never> => Promise.reject(new Error('away'));

  it('asks the first store alone while it answers', async () => {
    expect([await add(), second.store.asked, counter.away]).to.deep.equal([1, 0, []]);
  });

  it('asks the second when the first fails', async () => {
    first.store.answer = fails;
    expect([await add(), counter.away]).to.deep.equal([2, ['Redis']]);
  });

  it('asks the second when the first does not answer in time', async () => {
    first.store.answer = () => new Promise(() => undefined);
    expect([await add(), counter.away]).to.deep.equal([2, ['Redis']]);
  });

  it('names the second too when both are away, and neither once the first answers', async () => {
    first.store.answer = fails;
    second.counter.away.push('PostgreSQL');
    await add();
    expect(counter.away).to.deep.equal(['Redis', 'PostgreSQL']);
    first.store.answer = counted(1);
    now = 1000;
    await add();
    expect(counter.away).to.deep.equal([]);
  });

  it('leaves the first alone for a while after a failure', async () => {
    first.store.answer = fails;
    await add();
    now = 999;
    await add();
    expect(first.store.asked).to.equal(1);
  });

  it('asks the first again after that', async () => {
    first.store.answer = fails;
    await add();
    first.store.answer = counted(3);
    now = 1000;
    expect([await add(), counter.away]).to.deep.equal([3, []]);
  });

  it('tells once that the first is away, and once that it is back', async () => {
    first.store.answer = fails;
    await add();
    now = 1000;
    await add();
    first.store.answer = counted(1);
    now = 2000;
    await add();
    await add();
    expect(lines).to.deep.equal([
      'Redis is away; the next store counts, or this instance alone.',
      'Redis is back and counts again.',
    ]);
  });
});
