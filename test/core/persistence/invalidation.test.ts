import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { coreMigrations } from '../../../core/persistence/migrations/core-migrations.ts';
import { migrate } from '../../../core/persistence/migrations/migrate.ts';
import type { OpenDatabase } from '../../../core/persistence/kernel-database.ts';
import { makeScratch, onEveryEngine, type Scratch } from '../../../core/testing.ts';
import { quiet } from '../../support/quiet.ts';
import { until } from '../../support/until.ts';
import { failure, openAt, shop } from './support.ts';
import { TcpProxy } from './tcp-proxy.ts';

/** Collects what a subscriber hears. */
function hearing(database: OpenDatabase, topic: string): (string | undefined)[] {
  const heard: (string | undefined)[] = [];
  database.invalidation.subscribe(topic, (key) => heard.push(key));
  return heard;
}

async function publish(database: OpenDatabase, topic: string, key: string): Promise<void> {
  await database.transaction(async (trx) => database.invalidation.publish(trx, topic, key));
}

/** Runs a process that publishes and is killed as soon as its transaction has committed. Answers what ended it. */
async function publishAndDie(url: string, topic: string, key: string): Promise<unknown> {
  const isSource = import.meta.url.endsWith('.ts');
  const program = fileURLToPath(new URL(`./dying-publisher${isSource ? '.ts' : '.js'}`, import.meta.url));
  const args = [...(isSource ? ['--import', 'tsx'] : []), program, url, topic, key];
  const [, signal] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
  return signal;
}

/**
 * What a connection heard in the first of five tries in which it is what was expected, or else in the last: on a machine that
 * stalls, a poll may not be answered in time, and then everything is invalidated. A fault makes every try fail.
 */
async function expectHeard(
  expected: readonly (string | undefined)[],
  hear: () => Promise<readonly (string | undefined)[]>,
): Promise<void> {
  let heard = await hear();
  for (let tries = 1; tries < 5 && !isDeepStrictEqual(heard, expected); tries += 1) heard = await hear();
  expect(heard).to.deep.equal(expected);
}

describe('persistence: changes that are published', () => {
  onEveryEngine((engine) => {
    let scratch: Scratch;
    let database: OpenDatabase;
    beforeEach(async () => {
      scratch = await makeScratch(engine);
      database = await openAt(scratch.databaseUrl);
      await migrate(database, [coreMigrations], { logger: quiet });
    });
    afterEach(async () => {
      await database.close();
      await scratch.remove();
    });

    it('reach every subscriber of the topic here after the commit, and no other', async () => {
      const [one, two, other] = ['topic', 'topic', 'another'].map((topic) => hearing(database, topic));
      await database.transaction(async (trx) => {
        database.invalidation.publish(trx, 'topic', 'key');
        await trx.raw('SELECT 1');
        expect(one).to.deep.equal([]);
      });
      expect([one, two, other]).to.deep.equal([['key'], ['key'], []]);
    });

    it('reach no subscriber when the transaction rolls back', async () => {
      const heard = hearing(database, 'topic');
      const work = database.transaction(async (trx) => {
        database.invalidation.publish(trx, 'topic', 'key');
        throw new Error('changed my mind');
      });
      expect((await failure(work)).message).to.equal('changed my mind');
      expect(heard).to.deep.equal([]);
    });

    it('reach all others, and spoil no commit, where a subscriber fails', async () => {
      database.invalidation.subscribe('topic', () => {
        throw new Error('a bug');
      });
      const heard = hearing(database, 'topic');
      await publish(database, 'topic', 'key');
      expect(heard).to.deep.equal(['key']);
    });

    it('cannot be published after the commit', async () => {
      const late = await database.transaction(async (trx) => () => {
        database.invalidation.publish(trx, 'topic', 'key');
      });
      expect(late).to.throw('"topic" is not published in the transaction that makes the change.');
    });
  });

  describe('between instances on postgres', () => {
    let scratch: Scratch;
    let proxy: TcpProxy;
    let one: OpenDatabase;
    let two: OpenDatabase;
    beforeEach(async () => {
      scratch = await makeScratch('postgres');
      const url = new URL(scratch.databaseUrl);
      proxy = new TcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
      await proxy.open();
      // Many wait for its few connections on a machine that may be busy.
      one = await openAt(scratch.databaseUrl, { connect_timeout_ms: 10_000 });
      await migrate(one, [coreMigrations], { logger: quiet });
      url.host = `127.0.0.1:${proxy.port}`;
      two = await openAt(url.href.replaceAll('+', '%20'), { connect_timeout_ms: 10_000 });
    });
    afterEach(async () => {
      await proxy.cut();
      await Promise.all([one.close(), two.close()]);
      await scratch.remove();
    });

    it('reach the other instance', async () => {
      const heard = hearing(two, 'topic');
      await publish(one, 'topic', 'key with "quotes" and ünïcode');
      await until(() => heard.length > 0);
      expect(heard).to.deep.equal(['key with "quotes" and ünïcode']);
    });

    it('reach all others where a subscriber fails', async () => {
      two.invalidation.subscribe('topic', () => {
        throw new Error('a bug');
      });
      const heard = hearing(two, 'topic');
      await publish(one, 'topic', 'key');
      await until(() => heard.length > 0);
      expect(heard).to.deep.equal(['key']);
    });

    it('do not reach another schema of the same database', async () => {
      const elsewhere = await makeScratch('postgres');
      const three = await openAt(elsewhere.databaseUrl);
      await migrate(three, [coreMigrations], { logger: quiet });
      const heard = hearing(three, 'topic');
      await publish(one, 'topic', 'key');
      await pause(700);
      await three.close();
      await elsewhere.remove();
      expect(heard).to.deep.equal([]);
    });

    it('invalidate everything in the other instance while it cannot poll, and single keys again afterwards', async () => {
      const heard = hearing(two, 'topic');
      await proxy.cut();
      await until(() => heard.length > 0);
      await until(() => heard.length > 2);
      expect(new Set(heard)).to.deep.equal(new Set([undefined]));
      await proxy.open();
      await publish(one, 'topic', 'key');
      await until(() => heard.includes('key'));
    });

    it('make the other instance forget everything when the database falls silent', async () => {
      const heard = hearing(two, 'topic');
      proxy.silence();
      await until(() => heard.length > 0);
      expect(heard[0]).to.equal(undefined);
    });

    it('reach the other instance though the publisher is killed right after its commit', async () => {
      await migrate(one, [shop], { logger: quiet });
      const heard = hearing(two, 'topic');
      expect(await publishAndDie(scratch.databaseUrl, 'topic', 'lamp')).to.equal('SIGKILL');
      await until(() => heard.length > 0);
      expect(heard).to.deep.equal(['lamp']);
      expect(await one.knex('shop_items').pluck('id')).to.deep.equal(['lamp']);
    });

    it('do not reach the other instance when the transaction rolls back', async () => {
      const heard = hearing(two, 'topic');
      const work = one.transaction(async (trx) => {
        one.invalidation.publish(trx, 'topic', 'never');
        await trx.raw('SELECT no_such_function()');
      });
      await failure(work);
      await publish(one, 'topic', 'key');
      await until(() => heard.length > 0);
      expect(heard).to.deep.equal(['key']);
    });

    it('reach both when the commit happened and its answer was lost', async () => {
      const here = hearing(two, 'topic');
      const there = hearing(one, 'topic');
      proxy.breakAfter('COMMIT');
      expect(await failure(publish(two, 'topic', 'key'))).to.include({ status: 503 });
      expect(here).to.include('key');
      await until(() => there.length > 0);
      expect(there).to.deep.equal(['key']);
    });

    it('invalidate the whole topic in the other instance when several keys changed since its last poll', async () => {
      const [heard, other] = [hearing(two, 'topic'), hearing(two, 'another')];
      await one.transaction(async (trx) => {
        for (const key of ['a', 'b']) one.invalidation.publish(trx, 'topic', key);
      });
      await until(() => heard.length > 0);
      await Promise.all(['c', 'd', 'e', 'f'].map((key) => publish(one, 'topic', key)));
      await until(() => heard.filter((key) => key === undefined).length > 1);
      expect(heard[0]).to.equal(undefined);
      expect(other).to.deep.equal([]);
    });

    it('are published by many at once, in whatever order', async () => {
      const heard = [hearing(two, 'topic'), hearing(two, 'another')];
      const topics = ['topic', 'another'];
      const changes = Array.from({ length: 40 }, (_, n) =>
        one.transaction(async (trx) => {
          for (const topic of n % 2 === 0 ? topics : topics.toReversed())
            one.invalidation.publish(trx, topic, `key ${n}`);
        }),
      );
      await Promise.all(changes);
      await until(() => heard.every((keys) => keys.length > 0));
      expect(await one.knex('core_changes').pluck('changes')).to.deep.equal([40, 40]);
    });

    it('are blocked for some seconds at most by a publisher that is stuck before its commit', async () => {
      proxy.silenceBefore('COMMIT');
      const stuck = failure(publish(two, 'topic', 'stuck'));
      await pause(300);
      await publish(one, 'topic', 'key');
      await proxy.cut();
      expect(await stuck).to.include({ status: 503 });
    }).timeout(15_000);
  });

  describe('between processes on sqlite', () => {
    let scratch: Scratch;
    let one: OpenDatabase;
    let two: OpenDatabase;
    const item = (id: string) =>
      [{ table: 'shop_items', columns: { id: 'text', name: 'text' }, rows: [[id, id]] }] as const;
    beforeEach(async () => {
      scratch = await makeScratch('sqlite');
      one = await openAt(scratch.databaseUrl);
      await migrate(one, [shop], { logger: quiet });
      two = await openAt(scratch.databaseUrl);
    });
    afterEach(async () => {
      await Promise.all([one.close(), two.close()]);
      await scratch.remove();
    });

    /** A new connection invalidates everything at its first poll. */
    async function settled(): Promise<(string | undefined)[]> {
      const heard = hearing(two, 'topic');
      await pause(1_100);
      heard.length = 0;
      return heard;
    }

    const ways: Record<string, (name: string) => Promise<unknown>> = {
      'a transaction': (id) => one.transaction(async (trx) => trx('shop_items').insert({ id, name: id })),
      'a batch': (id) => one.write(item(id)),
      'a migration': (column) =>
        one.alone(async (trx) => trx.schema.alterTable('shop_items', (table) => table.text(column))),
    };
    for (const [what, change] of Object.entries(ways)) {
      it(`invalidate everything in the other within two seconds after ${what}, and once`, async () => {
        let changes = 0;
        await expectHeard([undefined], async () => {
          const heard = await settled();
          await change(`change${(changes += 1)}`);
          await until(() => heard.length > 0);
          await pause(1_200);
          return heard;
        });
      });
    }

    it('are not reported for its own batches', async () => {
      let batches = 0;
      await expectHeard([], async () => {
        const heard = await settled();
        for (let n = 0; n < 12; n += 1) {
          await two.write(item(`n${(batches += 1)}`));
          await pause(100);
        }
        return heard;
      });
    });

    it('invalidate everything in the other while its writer cannot poll', async () => {
      const heard = await settled();
      let isHeld = false;
      const held = one.transaction(async (trx) => {
        await trx('shop_items').insert({ id: 'a', name: 'a' });
        isHeld = true;
        await pause(1_800);
      });
      await until(() => isHeld);
      const waiting = two.write(item('b')).catch(() => undefined);
      await until(() => heard.length > 0);
      expect(heard[0]).to.equal(undefined);
      await Promise.all([held, waiting]);
    });
  });
});
