import { expect } from 'chai';
import type { BatchInsert, Database, Logger } from '../../../core/index.ts';
import { systemClock } from '../../../core/testing.ts';
import { RefusalCounts } from '../../../plugins/gateway/counters/refusal-counts.ts';

/** A store that can be away. */
function makeStore() {
  const stored: Record<string, number> = {};
  const store = {
    stored,
    writes: 0,
    away: false,
    write: async (batch: readonly BatchInsert[]) => {
      store.writes += 1;
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (store.away) throw new Error('away');
      for (const [outcome, , count] of batch.flatMap(({ rows }) => rows)) {
        stored[String(outcome)] = (stored[String(outcome)] ?? 0) + Number(count);
      }
    },
  };
  return store;
}

describe('counting refusals', () => {
  let store: ReturnType<typeof makeStore>;
  let errors: object[];
  let counts: RefusalCounts;
  beforeEach(() => {
    store = makeStore();
    errors = [];
    const silent = (): void => undefined;
    const logger = {
      debug: silent,
      info: silent,
      warn: silent,
      error: (fields: object) => errors.push(fields),
    };
    counts = new RefusalCounts({
      database: store as unknown as Database,
      clock: systemClock,
      logger: logger as unknown as Logger,
      shard: 0,
    });
  });

  it('is done when the count is stored', async () => {
    await counts.count('blocked');
    expect(store.stored).to.deep.equal({ blocked: 1 });
  });

  it('goes on after somebody asked whether all is stored while nothing was counted', async () => {
    await counts.stored();
    await counts.count('blocked');
    expect(store.stored).to.deep.equal({ blocked: 1 });
  });

  it('writes those together that come together', async () => {
    await Promise.all(Array.from({ length: 500 }, () => counts.count('rate_limited')));
    expect(store.stored).to.deep.equal({ rate_limited: 500 });
    expect(store.writes).to.be.lessThan(5);
  });

  it('does not hold up refusals while the store is away, and stores them later', async () => {
    store.away = true;
    const began = performance.now();
    await counts.count('blocked');
    expect(performance.now() - began).to.be.lessThan(1000);
    store.away = false;
    await counts.stop();
    expect(store.stored).to.deep.equal({ blocked: 1 });
  });

  it('says at the stop what it could not store', async () => {
    store.away = true;
    await counts.count('blocked');
    await counts.stop();
    expect(errors).to.deep.equal([{ refusals: { blocked: 1 } }]);
  });
});
