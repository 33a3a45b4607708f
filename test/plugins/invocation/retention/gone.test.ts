import { expect } from 'chai';
import { DATABASE, type Database, type PluginDefinition } from '../../../../core/index.ts';
import {
  builtInPlugins,
  makeScratch,
  onEveryEngine,
  startTestKernel,
  type Scratch,
} from '../../../../core/testing.ts';
import { createCallLog } from '../../../../plugins/invocation/reading/call-log.ts';
import type { CallRow } from '../../../../plugins/invocation/recording/call-row.ts';
import type { CallFilter, CallLog } from '../../../../plugins/invocation/contract.ts';
import { RETENTION } from '../../../../plugins/invocation/retention/retention.ts';
import { overheard } from '../support/plans.ts';
import { recordAt, store } from '../support/records.ts';

const DAY = 86_400_000;
const now = Date.UTC(2026, 5, 20, 12);
const clock = { now: () => now, elapsed: () => performance.now() };
const everything = { skip: 0, limit: 1000 };
const settings = { invocation: { keep_records_count: 22, retention_batch_rows: 7, retention_pause_ms: 1 } };

/** Sixty records, eight a day: the newest is an hour old. */
const rows: readonly CallRow[] = Array.from({ length: 60 }, (_, n) =>
  recordAt(new Date(now - 3_600_000 - (59 - n) * (DAY / 8)).toISOString(), {
    user_id: n % 2 === 0 ? 'alice' : 'bob',
    algorithm_id: `algorithm-${n % 3}`,
    status: n % 5 === 0 ? 'failed' : 'success',
  }),
);

const filters: readonly CallFilter[] = [
  {},
  { userId: 'bob' },
  { userId: 'nobody' },
  { algorithmId: 'algorithm-1' },
  { status: 'failed' },
  { userId: 'alice', status: 'success' },
  { userId: 'alice', algorithmId: 'algorithm-2', status: 'success' },
  { until: now - 2 * DAY },
  { userId: 'bob', from: now - 3.3 * DAY },
  { userId: 'bob', from: now - 30 * DAY, until: now - 2.6 * DAY },
  { status: 'success', from: now - 2.9 * DAY, until: now - 2.7 * DAY },
];

/** The plugins as they are, or as they were before what is thrown away was counted. */
async function plugins(when: 'before' | 'now'): Promise<PluginDefinition[]> {
  const all = await builtInPlugins(['users', 'catalogue', 'permissions', 'invocation']);
  return all.map((plugin) => ({
    ...plugin,
    migrations: (plugin.migrations ?? []).filter(({ name }) => when === 'now' || !name.includes('_gone_')),
  }));
}

async function expectExact(log: CallLog, kept: number): Promise<void> {
  for (const filter of filters) {
    const listed = await log.list(filter, everything);
    expect(await log.count(filter), JSON.stringify(filter)).to.equal(listed.length);
  }
  expect(await log.count({})).to.equal(kept);
}

describe('What retention threw away', function () {
  this.timeout(60_000);
  onEveryEngine((engine) => {
    let scratch: Scratch;
    let stop: (() => Promise<void>) | undefined;
    beforeEach(async () => {
      scratch = await makeScratch(engine);
    });
    afterEach(async () => {
      await stop?.();
      stop = undefined;
      await scratch.remove();
    });

    async function start(when: 'before' | 'now') {
      const kernel = await startTestKernel({
        engine,
        scratch,
        clock,
        settings,
        plugins: await plugins(when),
      });
      stop = kernel.stop;
      const database = kernel.get(DATABASE);
      return { ...kernel, database, log: createCallLog(database) };
    }

    it('is counted, so that no record needs to be', async () => {
      const { database, get } = await start('now');
      await store({ get }, rows);
      await get(RETENTION).run();
      const ears = overheard(database);
      const log = createCallLog(ears.database);
      expect(await log.count({ userId: 'alice' })).to.equal(11);
      expect(await log.count({ status: 'failed', until: Date.UTC(2026, 5, 20) })).to.equal(4);
      expect(ears.asked.filter(({ sql }) => sql.includes('invocation_calls'))).to.deep.equal([]);
    });

    it('is counted by user, algorithm, status and day', async () => {
      const { log, get } = await start('now');
      await store({ get }, rows);
      await get(RETENTION).run();
      await expectExact(log, 22);
    });

    it('does not take what comes late with it', async () => {
      const { log, get } = await start('now');
      await store({ get }, rows);
      await get(RETENTION).run();
      await store({ get }, [recordAt(new Date(now - 5 * DAY).toISOString(), { user_id: 'bob' })]);
      await expectExact(log, 23);
    });

    it('is counted once when two are at it', async () => {
      const { database, log, get } = await start('now');
      await store({ get }, rows);
      const write = database.write.bind(database);
      database.write = async (batch, changes) =>
        void (await Promise.all([write(batch, changes), write(batch, changes)]));
      await get(RETENTION).run();
      await expectExact(log, 22);
    });

    describe('by a release that did not count it', () => {
      /** Its transaction: the oldest records go, and the mark says so. */
      const throwAway = async (database: Database, some: readonly CallRow[]): Promise<void> =>
        database.transaction(async (trx) => {
          await trx('invocation_calls')
            .whereIn(
              'id',
              some.map(({ id }) => id),
            )
            .delete();
          await trx('invocation_retention')
            .where({ name: 'records' })
            .update({ horizon: some.at(-1)!.id, passed: some.length });
        });

      beforeEach(async () => {
        const { database, get } = await start('before');
        await store({ get }, rows);
        await throwAway(database, rows.slice(0, 37));
        const late = recordAt(new Date(now - 5 * DAY).toISOString(), { user_id: 'bob' });
        await store({ get }, [late]);
        await stop!();
      });

      it('is counted when this one comes', async () => {
        const { log, get } = await start('now');
        await expectExact(log, 24);
        expect(await get(RETENTION).run()).to.deep.equal({ records: 2, payloads: 0 });
        await expectExact(log, 22);
      });

      it('stays where it is from then on', async () => {
        const { database, log } = await start('now');
        const refused = await throwAway(database, rows.slice(0, 50)).catch((error: Error) => error);
        expect(refused).to.be.instanceOf(Error);
        await expectExact(log, 24);
      });
    });
  });
});
