import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { DATABASE, StoreUnavailable, UniqueViolation, type Database } from '../../../core/index.ts';
import { onEveryEngine, type Scratch } from '../../../core/testing.ts';
import { CALL_LOG, CALL_STATISTICS } from '../../../plugins/invocation/contract.ts';
import { RECORDER } from '../../../plugins/invocation/recording/recorder.ts';
import { TcpProxy } from '../../core/persistence/tcp-proxy.ts';
import { until } from '../../support/until.ts';
import { startStage, type Playable, type Stage } from './support/stage.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

/** Cuts a running service off from its database for writes. A ping is answered, so that the first call is let through. */
function cutOff(database: Database): { restore(): void } {
  const { write } = database;
  Object.assign(database, {
    write: async () => {
      throw StoreUnavailable('The database does not answer.');
    },
  });
  return { restore: () => void Object.assign(database, { write }) };
}

describe('While the database is away', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let of: Playable;
    let outage: { restore(): void };
    beforeEach(async () => {
      stage = await startStage(engine);
      of = await stage.play();
      await stage.call(of);
      outage = cutOff(stage.get(DATABASE));
    });
    afterEach(() => stage.stop());

    it('calls get 503; they succeed soon after its return, and the spool is stored and counted once', async () => {
      const asked = await stage.call(of, { input_data: { kept: true } });
      expect([asked.status, asked.body.code]).to.deep.equal([503, 'store_unavailable']);
      expect(asked.headers).to.have.property('retry-after');
      expect(stage.upstream.requests, 'its endpoint was asked').to.have.length(2);

      const further = await stage.call(of);
      expect([further.status, further.body.code]).to.deep.equal([503, 'store_unavailable']);
      expect(stage.upstream.requests, 'no endpoint is asked any more').to.have.length(2);

      outage.restore();
      await until(async () => (await stage.call(of)).status === 200, 20_000);

      const calls = stage.get(CALL_LOG);
      await until(async () => (await calls.count({})) === 3);
      const stored = await calls.list({}, { skip: 0, limit: 10 });
      expect(stored.filter(({ input_data }) => input_data?.['kept'])).to.have.length(1);
      expect(stored).to.have.length(3);
      expect((await stage.get(CALL_STATISTICS).totals({})).total_calls).to.equal(3);
    });
  });
});

describe('A commit that comes when its records are in the spool', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let of: Playable;
    before(async () => {
      stage = await startStage(engine);
      of = await stage.play();
    });
    after(() => stage.stop());

    /** Has the next write of a record wait until the test lets it go, before or after it is carried out. */
    function delayNext(when: 'before' | 'after') {
      const database = stage.get(DATABASE);
      const { write } = database;
      let release!: () => void;
      const released = new Promise<void>((resolve) => (release = resolve));
      const late = new Promise<unknown>((resolve) => {
        Object.assign(database, {
          write: async (...order: Parameters<Database['write']>) => {
            if (order[0][0]?.table !== 'invocation_calls') return write.call(database, ...order);
            Object.assign(database, { write });
            if (when === 'before') await released;
            const outcome = await write.call(database, ...order).catch((error: unknown) => error);
            resolve(outcome);
            if (when === 'after') await released;
            if (outcome instanceof Error) throw outcome;
          },
        });
      });
      return { release, late };
    }

    for (const when of ['after', 'before'] as const) {
      it(`stores and counts them once where it comes ${when === 'after' ? 'first' : 'last'}`, async () => {
        const log = stage.get(CALL_LOG);
        const known = await log.count({});
        const delayed = delayNext(when);
        const began = performance.now();
        const { status, body } = await stage.call(of);
        expect([status, body.code]).to.deep.equal([503, 'store_unavailable']);
        expect(performance.now() - began).to.be.at.least(4_000);
        const { state } = stage.get(RECORDER);
        expect(state.isAway).to.equal(true);
        await until(async () => stage.get(RECORDER).state.spooled === 0);
        delayed.release();
        const outcome = await delayed.late;
        if (when === 'before') expect(outcome).to.be.instanceOf(UniqueViolation);
        else expect(outcome).to.equal(undefined);
        await until(async () => !stage.get(RECORDER).state.isAway);
        expect(await log.count({})).to.equal(known + 1);
        expect((await stage.get(CALL_STATISTICS).totals({})).total_calls).to.equal(known + 1);
      });
    }
  });
});

describe('A PostgreSQL that falls silent', () => {
  let scratch: Scratch;
  let proxy: TcpProxy;
  let stage: Stage;
  let answer: () => void;
  beforeEach(async () => {
    scratch = await migratedScratch('postgres');
    const url = new URL(scratch.databaseUrl);
    proxy = new TcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
    await proxy.open();
    url.host = `127.0.0.1:${proxy.port}`;
    const databaseUrl = url.href.replaceAll('+', '%20');
    const answered = new Promise<void>((resolve) => (answer = resolve));
    stage = await startStage('postgres', () => answered.then(() => ({})), {
      scratch: { ...scratch, databaseUrl },
    });
  });
  afterEach(async () => {
    await stage.stop();
    await proxy.cut();
    await scratch.remove();
  });

  it('delays callers no longer than one that is away, loses no record, and counts each once', async () => {
    const of = await stage.play();
    const calls = Array.from({ length: 5 }, () => stage.call(of));
    await until(async () => stage.upstream.requests.length === 5);
    const late = stage.call(of);
    await until(async () => stage.upstream.requests.length === 6);
    proxy.silence();
    const began = performance.now();
    answer();
    const statuses = (await Promise.all([...calls, late])).map(({ status }) => status);
    expect(statuses).to.deep.equal(statuses.map(() => 503));
    expect(performance.now() - began).to.be.below(12_000);
    expect(stage.get(RECORDER).state.spooled).to.be.above(0);
    await proxy.cut();
    await proxy.open();
    const { count } = stage.get(CALL_LOG);
    await until(async () => stage.get(RECORDER).state.spooled === 0 && !stage.get(RECORDER).state.isAway);
    await pause(100);
    expect(await count({})).to.equal(6);
    expect((await stage.get(CALL_STATISTICS).totals({})).total_calls).to.equal(6);
  }).timeout(60_000);
});
