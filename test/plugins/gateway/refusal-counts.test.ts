import { expect } from 'chai';
import {
  DATABASE,
  StoreUnavailable,
  type BatchInsert,
  type Database,
  type Logger,
} from '../../../core/index.ts';
import { onEveryEngine, systemClock } from '../../../core/testing.ts';
import {
  deleteOldMarks,
  REFUSAL_COUNTS,
  RefusalCounts,
} from '../../../plugins/gateway/counters/refusal-counts.ts';
import { createTimeRollups } from '../../../plugins/invocation/rollups/series/time-rollups.ts';
import { startGateway, type GatewayUnderTest } from './support.ts';

/** A store that can be away. */
function makeStore() {
  const stored: Record<string, number> = {};
  const store = {
    engine: 'sqlite' as const,
    stored,
    writes: 0,
    away: false,
    write: async (batch: readonly BatchInsert[]) => {
      store.writes += 1;
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (store.away) throw new Error('away');
      const counters = batch.filter(({ table }) => table === 'gateway_counters');
      for (const [, outcome, count] of counters.flatMap(({ rows }) => rows)) {
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
      rollups: createTimeRollups({ database: store, clock: systemClock }),
      database: store,
      clock: systemClock,
      logger: logger as unknown as Logger,
    });
  });

  it('is done when the count is stored', async () => {
    await counts.count('gateway', { code: 'blocked', algorithmId: undefined });
    expect(store.stored).to.deep.equal({ blocked: 1 });
  });

  it('continues after a wait without counts', async () => {
    await counts.stored();
    await counts.count('gateway', { code: 'blocked', algorithmId: undefined });
    expect(store.stored).to.deep.equal({ blocked: 1 });
  });

  it('writes concurrent refusals together', async () => {
    await Promise.all(
      Array.from({ length: 500 }, () =>
        counts.count('gateway', { code: 'rate_limited', algorithmId: undefined }),
      ),
    );
    // Refusals that would wait too long are answered before they are stored.
    await counts.stop();
    expect(store.stored).to.deep.equal({ rate_limited: 500 });
    expect(store.writes).to.be.lessThan(5);
  });

  it('does not delay refusals while the store is away, and stores them later', async () => {
    store.away = true;
    const began = performance.now();
    await counts.count('gateway', { code: 'blocked', algorithmId: undefined });
    expect(performance.now() - began).to.be.lessThan(5000);
    store.away = false;
    await counts.stop();
    expect(store.stored).to.deep.equal({ blocked: 1 });
  });

  it('logs at the stop what it could not store', async () => {
    store.away = true;
    await counts.count('gateway', { code: 'blocked', algorithmId: undefined });
    await counts.stop();
    expect(errors).to.deep.equal([{ refusals: { 'gateway:blocked': 1 } }]);
  });
});

onEveryEngine((engine) => {
  describe('refusals that were stored when the connection broke', () => {
    let gateway: GatewayUnderTest;
    beforeEach(async () => {
      gateway = await startGateway(engine, { gateway: { rate_limit: 1, rate_window_s: 600 } });
      await gateway.call();
    });
    afterEach(() => gateway.stop());

    /** The next writes of refusals are carried out, and their answers lost. */
    function loseAnswers(times: number): () => number {
      const database = gateway.get(DATABASE);
      const { write } = database;
      let left = times;
      Object.assign(database, {
        write: async (...order: Parameters<Database['write']>) => {
          await write.call(database, ...order);
          if (left === 0 || order[0][0]?.table !== 'gateway_counters') return;
          left -= 1;
          throw StoreUnavailable('The connection broke.');
        },
      });
      return () => left;
    }
    const stored = async (): Promise<object> => {
      await gateway.get(REFUSAL_COUNTS).stop();
      return gateway.stats();
    };

    it('are counted once', async () => {
      const left = loseAnswers(1);
      await gateway.call();
      expect(await stored()).to.include({ rate_limited_requests: 1, total_requests: 2 });
      expect(left()).to.equal(0);
    });

    it('are counted once, with those that arrived meanwhile', async () => {
      loseAnswers(1);
      for (let i = 0; i < 5; i++) await gateway.call();
      expect(await stored()).to.include({ rate_limited_requests: 5, total_requests: 6 });
    });

    it('leave marks that are deleted after an hour', async () => {
      const { knex } = gateway.get(DATABASE);
      await gateway.call();
      await stored();
      const marks = async () => (await knex('gateway_refusal_batches').pluck('id')).length;
      const { database, now } = { database: gateway.get(DATABASE), now: systemClock.now() };
      await deleteOldMarks(database, now + 3_500_000);
      expect(await marks()).to.equal(1);
      await deleteOldMarks(database, now + 3_700_000);
      expect(await marks()).to.equal(0);
    });
  });
});
