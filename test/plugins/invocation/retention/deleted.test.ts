import { expect } from 'chai';
import { DATABASE } from '../../../../core/index.ts';
import { builtInPlugins, onEveryEngine, startTestKernel, type Scratch } from '../../../../core/testing.ts';
import { createCallLog } from '../../../../plugins/invocation/reading/call-log.ts';
import type { CallRow } from '../../../../plugins/invocation/recording/call-row.ts';
import type { CallFilter, CallLog } from '../../../../plugins/invocation/contract.ts';
import { RETENTION } from '../../../../plugins/invocation/retention/retention.ts';
import { overheard } from '../support/plans.ts';
import { recordAt, store } from '../support/records.ts';
import { migratedScratch } from '../../../support/databases/migrated-scratch.ts';

const DAY = 86_400_000;
const now = Date.UTC(2026, 5, 20, 12);
const clock = { now: () => now, elapsed: () => performance.now() };
const everything = { skip: 0, limit: 1000 };
const settings = { invocation: { keep_records_count: 22 } };

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

async function expectExact(log: CallLog, kept: number): Promise<void> {
  for (const filter of filters) {
    const listed = await log.list(filter, everything);
    expect(await log.count(filter), JSON.stringify(filter)).to.equal(listed.length);
  }
  expect(await log.count({})).to.equal(kept);
}

describe('What retention deleted', function () {
  this.timeout(60_000);
  onEveryEngine((engine) => {
    let scratch: Scratch;
    let stop: (() => Promise<void>) | undefined;
    beforeEach(async () => {
      scratch = await migratedScratch(engine);
    });
    afterEach(async () => {
      await stop?.();
      stop = undefined;
      await scratch.remove();
    });

    async function start() {
      const kernel = await startTestKernel({
        engine,
        scratch,
        clock,
        settings,
        plugins: await builtInPlugins(['users', 'catalogue', 'permissions', 'invocation']),
      });
      stop = kernel.stop;
      const database = kernel.get(DATABASE);
      return { ...kernel, database, log: createCallLog(database) };
    }

    it('is counted, so that no record needs to be', async () => {
      const { database, get } = await start();
      await store({ get }, rows);
      await get(RETENTION).run();
      const ears = overheard(database);
      const log = createCallLog(ears.database);
      expect(await log.count({ userId: 'alice' })).to.equal(11);
      expect(await log.count({ status: 'failed', until: Date.UTC(2026, 5, 20) })).to.equal(4);
      expect(ears.asked.filter(({ sql }) => sql.includes('invocation_calls'))).to.deep.equal([]);
    });

    it('is counted by user, algorithm, status and day', async () => {
      const { log, get } = await start();
      await store({ get }, rows);
      await get(RETENTION).run();
      await expectExact(log, 22);
    });

    it('does not include records that arrive late', async () => {
      const { log, get } = await start();
      await store({ get }, rows);
      await get(RETENTION).run();
      await store({ get }, [recordAt(new Date(now - 5 * DAY).toISOString(), { user_id: 'bob' })]);
      await expectExact(log, 23);
    });

    it('is counted once by two concurrent runs', async () => {
      const { database, log, get } = await start();
      await store({ get }, rows);
      const write = database.write.bind(database);
      database.write = async (batch, changes) =>
        void (await Promise.all([write(batch, changes), write(batch, changes)]));
      await get(RETENTION).run();
      await expectExact(log, 22);
    });
  });
});
