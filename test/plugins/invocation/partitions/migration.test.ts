import { expect } from 'chai';
import { DATABASE, type Database, type PluginDefinition } from '../../../../core/index.ts';
import {
  builtInPlugins,
  makeScratch,
  onEveryEngine,
  startTestKernel,
  type Scratch,
  type TestKernel,
} from '../../../../core/testing.ts';
import type { CallRow } from '../../../../plugins/invocation/recording/call-row.ts';
import { CALL_LOG, CALL_STATISTICS } from '../../../../plugins/invocation/contract.ts';
import { partitionMigrations } from '../../../../plugins/invocation/partitions/migrations.ts';
import { partitionsOf } from '../../../../plugins/invocation/partitions/partition.ts';
import { recordAt, store } from '../support/records.ts';

const everything = { skip: 0, limit: 1000 };
const LONGEST_WAIT_MS = 1_500;

const rows: readonly CallRow[] = Array.from({ length: 300 }, (_, n) =>
  recordAt(new Date(Date.UTC(2024, 0, 1) + n * 86_400_000).toISOString(), {
    user_id: n % 3 === 0 ? 'bob' : 'alice',
    status: n % 7 === 0 ? 'failed' : 'success',
  }),
);
const farAhead = recordAt('2099-03-03T00:00:00Z');

/** The plugins as they are, or without the steps that made partitions. */
async function plugins(when: 'before' | 'now'): Promise<PluginDefinition[]> {
  const all = await builtInPlugins(['users', 'catalogue', 'permissions', 'invocation']);
  const absent = new Set(when === 'before' ? partitionMigrations.map(({ name }) => name) : []);
  return all.map((plugin) => ({
    ...plugin,
    migrations: (plugin.migrations ?? []).filter(({ name }) => !absent.has(name)),
  }));
}

/** What tells whether rows were copied: the file that holds a record. */
async function fileOf(database: Database, id: string): Promise<unknown> {
  const { rows: found } = await database.knex.raw<{ rows: { file: number; oid: number }[] }>(
    `SELECT pg_relation_filenode(tableoid) AS file, tableoid AS oid FROM invocation_calls WHERE id = ?`,
    [id],
  );
  return found[0];
}

describe('A filled table of calls', () => {
  onEveryEngine((engine) => {
    let scratch: Scratch;
    let old: TestKernel;
    beforeEach(async () => {
      scratch = await makeScratch(engine);
      old = await startTestKernel({ engine, scratch, plugins: await plugins('before') });
      await store(old, [...rows, farAhead]);
    });
    afterEach(() => scratch.remove());

    it('keeps its records, their order and their counts when partitions come', async () => {
      const listed = await old.get(CALL_LOG).list({}, everything);
      await old.stop();
      const kernel = await startTestKernel({ engine, scratch, plugins: await plugins('now') });
      const log = kernel.get(CALL_LOG);
      const after = await log.list({}, everything);
      const counts = [await log.count({}), await log.count({ userId: 'bob', status: 'failed' })];
      const { total_calls } = await kernel.get(CALL_STATISTICS).totals({});
      await kernel.stop();
      expect(listed).to.have.length(301);
      expect(after).to.deep.equal(listed);
      expect(counts).to.deep.equal([
        301,
        rows.filter((row) => row.user_id === 'bob' && row.status === 'failed').length,
      ]);
      expect(total_calls).to.equal(301);
    });

    if (engine === 'sqlite') return;

    it('becomes the partition of everything before the next month, without being copied', async () => {
      const before = await fileOf(old.get(DATABASE), rows[0]!.id);
      await old.stop();
      const kernel = await startTestKernel({ engine, scratch, plugins: await plugins('now') });
      const database = kernel.get(DATABASE);
      const after = await fileOf(database, rows[0]!.id);
      const partitions = await partitionsOf(database.knex);
      const newest = await fileOf(database, farAhead.id);
      const names = await database.knex.raw<{ rows: { indexname: string }[] }>(
        `SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() AND tablename = 'invocation_calls' ORDER BY 1`,
      );
      await kernel.stop();
      expect(after).to.deep.equal(before);
      expect(newest).not.to.deep.equal(before);
      expect(partitions[0]).to.include({ name: 'invocation_calls_first', from: '', cutAt: undefined });
      expect(partitions.at(-1)!.until).to.equal(undefined);
      expect(names.rows.map(({ indexname }) => indexname)).to.deep.equal([
        'invocation_calls_of_algorithm_without_success',
        'invocation_calls_of_user',
        'invocation_calls_of_user_and_algorithm',
        'invocation_calls_pkey',
        'invocation_calls_without_success',
      ]);
    });

    it('takes the records of an instance that runs on meanwhile, of every month', async function () {
      this.timeout(60_000);
      let isDone = false;
      const upgrade = (async () =>
        startTestKernel({ engine, scratch, plugins: await plugins('now') }))().finally(() => (isDone = true));
      const waits: number[] = [];
      for (let n = 0; !isDone; n += 1) {
        const began = performance.now();
        await store(old, [recordAt(n % 2 === 0 ? '2025-05-05T00:00:00Z' : '2098-01-01T00:00:00Z')]);
        waits.push(performance.now() - began);
      }
      const kernel = await upgrade;
      await old.stop();
      const count = (
        await kernel.get(CALL_LOG).list({ from: Date.UTC(2025, 0, 1) }, { skip: 0, limit: 100_000 })
      ).length;
      await kernel.stop();
      expect(count).to.equal(waits.length + 1);
      expect(Math.max(...waits)).to.be.lessThan(LONGEST_WAIT_MS);
    });

    it('is migrated once by two instances that start together', async () => {
      await old.stop();
      const kernels = await Promise.all(
        [1, 2].map(async () => startTestKernel({ engine, scratch, plugins: await plugins('now') })),
      );
      const counts = await Promise.all(kernels.map((kernel) => kernel.get(CALL_LOG).count({})));
      await Promise.all(kernels.map((kernel) => kernel.stop()));
      expect(counts).to.deep.equal([301, 301]);
    });
  });
});
