import { EventEmitter, once } from 'node:events';
import { copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import Sqlite from 'better-sqlite3';
import { coreMigrations } from '../../../core/persistence/migrations/core-migrations.ts';
import type { PluginMigrations, Migration } from '../../../core/persistence/migrations/ledger.ts';
import { migrate, type AppliedMigrations } from '../../../core/persistence/migrations/migrate.ts';
import { openDatabase } from '../../../core/persistence/open-database.ts';
import type { OpenDatabase } from '../../../core/persistence/kernel-database.ts';
import type { DatabaseSettings } from '../../../core/persistence/settings.ts';
import { SqliteUpgradeBackup } from '../../../core/persistence/sqlite/upgrade-backup.ts';
import type { Logger } from '../../../core/index.ts';
import { makeScratch, onEveryEngine, systemClock, type Scratch } from '../../../core/testing.ts';
import { quiet } from '../../support/quiet.ts';
import { failure, settings } from './support.ts';

const creates = (name: string, table: string): Migration => ({
  name,
  up: async (trx) => trx.schema.createTable(table, (columns) => void columns.text('id').primary()),
});
const broken: Migration = { name: '0004_broken', up: () => Promise.reject(new Error('the moon is full')) };

/** What a release brings. */
type Release = readonly PluginMigrations[];
const release = (...migrations: Migration[]): Release => [coreMigrations, { id: 'demo', migrations }];
const steps = [
  creates('0001_things', 'demo_things'),
  creates('0002_parts', 'demo_parts'),
  creates('0003_colours', 'demo_colours'),
];
const before = release(...steps.slice(0, 1));
const after = release(...steps);
const failing = release(...steps, broken);

describe('persistence: before an upgrade', () => {
  let scratch: Scratch;
  let said: string[];
  const logger: Logger = {
    ...quiet,
    info: (_, line) => void said.push(line),
    warn: (_, line) => void said.push(line),
  };

  const open = (more: Partial<DatabaseSettings> = {}, days = 0): Promise<OpenDatabase> =>
    openDatabase({
      url: scratch.databaseUrl,
      dataDir: scratch.dataDir,
      logger,
      // A copy is named after the second in which it was made.
      clock: { ...systemClock, now: () => Date.UTC(2026, 0, 31 + days, 23, 59, 58) },
      settings: { ...settings, ...more },
      busyTimeoutMs: 20_000,
    });

  /** Starts a release, and stops it again. */
  const start = async (
    what: Release,
    more: Partial<DatabaseSettings> = {},
    days = 0,
  ): Promise<AppliedMigrations[]> => {
    const database = await open(more, days);
    try {
      return await migrate(database, what, { logger });
    } finally {
      await database.close();
    }
  };

  const insert = async (id: string): Promise<void> => {
    const database = await open();
    await database.knex('demo_things').insert({ id });
    await database.close();
  };

  const begin = async (engine: 'sqlite' | 'postgres'): Promise<void> => {
    scratch = await makeScratch(engine);
    said = [];
    await start(before);
    await insert('lamp');
  };
  afterEach(() => scratch.remove());

  onEveryEngine((engine) => {
    beforeEach(() => begin(engine));

    it('a database that has nothing pending, or no data yet, is left alone', async () => {
      await start(before);
      expect(said.filter((line) => /upgrade|backup/i.test(line))).to.deep.equal([]);
      expect(existsSync(join(scratch.dataDir, 'backups'))).to.equal(false);
    });

    const ofBackups = (): string[] =>
      said.filter((line) =>
        (engine === 'sqlite' ? /^Copied the database to .*\.db\.$/ : /pg_dump.*DATABASE_URL/).test(line),
      );

    it('the log says what becomes of a backup, once', async () => {
      await start(after);
      expect(ofBackups()).to.have.length(1);
    });

    it('an instance that goes on where another one began leaves the backup to it', async () => {
      const [one, other] = [await open(), await open({}, 1)];
      const otherWaits = new EventEmitter();
      const atTheLock: OpenDatabase = {
        ...other,
        alone: (work) => {
          otherWaits.emit('waits');
          return other.alone(work);
        },
      };
      let second: Promise<unknown> | undefined;
      const startsTheOther: Migration = {
        name: steps[1]!.name,
        up: async (trx) => {
          const waits = once(otherWaits, 'waits');
          second = migrate(atTheLock, after, { logger });
          await waits;
          await steps[1]!.up(trx, engine);
        },
      };
      await migrate(one, release(steps[0]!, startsTheOther), { logger });
      await second;
      await Promise.all([one.close(), other.close()]);
      expect(ofBackups()).to.have.length(1);
    });

    it('a step that fails says how to go back', async () => {
      const error = await failure(start(failing));
      expect(error.message).to.match(/"demo".*"0004_broken".*rolled back.*the moon is full/);
      expect(error.message).to.match(
        engine === 'sqlite'
          ? /is in .*\.db\. To go back to the release before, stop.*test\.db-wal/
          : /restore the backup that you made/,
      );
      const refused = await failure(start(before));
      expect(refused.message).to.match(/a newer one ran here.*restore a backup from before/);
    });
  });

  describe('on sqlite', () => {
    beforeEach(() => begin('sqlite'));
    const folder = (): string => join(scratch.dataDir, 'backups');
    const copies = (): string[] => readdirSync(folder()).sort();
    const file = (): string => join(scratch.dataDir, 'test.db');
    const restore = (copy: string): void => {
      for (const ending of ['-wal', '-shm']) rmSync(file() + ending, { force: true });
      copyFileSync(join(folder(), copy), file());
    };

    it('a copy is made, with which the release before starts when the last step failed', async () => {
      const database = await open();
      // In the write-ahead log still, which a plain copy of the file would lack.
      await database.knex('demo_things').insert({ id: 'chair' });
      const error = await failure(migrate(database, failing, { logger }));
      await database.close();
      const [copy] = copies();
      expect(copy).to.equal('test-20260131T235958Z-before-demo.0002_parts.db');
      expect(error.message).to.include(join(folder(), copy!));

      restore(copy!);
      await start(before);
      const restored = new Sqlite(file());
      expect(restored.pragma('integrity_check', { simple: true })).to.equal('ok');
      expect(restored.prepare('SELECT id FROM demo_things ORDER BY id').pluck().all()).to.deep.equal([
        'chair',
        'lamp',
      ]);
      restored.close();
    });

    it('the copy is for its owner alone', async () => {
      await start(after);
      expect(statSync(folder()).mode & 0o777).to.equal(0o700);
      expect(copies().map((copy) => statSync(join(folder(), copy)).mode & 0o777)).to.deep.equal([0o600]);
    });

    it('an upgrade that is tried again keeps the copy from before its first try', async () => {
      await failure(start(failing));
      const first = copies();
      for (const days of [1, 2, 3, 4]) await failure(start(failing, {}, days));
      expect(copies()).to.deep.equal(first);
      expect((await failure(start(failing))).message).to.match(
        /This start changed nothing\. The last backups .* are in .*backups/,
      );
    });

    it('an upgrade after a restored copy begins with a new one', async () => {
      await failure(start(failing));
      restore(copies()[0]!);
      await insert('table');
      await failure(start(failing, {}, 1));
      expect(copies().filter((name) => name.endsWith('.db'))).to.have.length(2);
    });

    it('the release before names where copies are', async () => {
      await start(after);
      expect((await failure(start(before))).message).to.include(folder());
    });

    it('the last three copies are kept', async () => {
      const all = steps.slice(0, 1);
      for (const days of [1, 2, 3, 4]) {
        all.push(creates(`000${days + 1}_more`, `demo_more_${days}`));
        await start(release(...all), {}, days);
      }
      expect(copies()).to.deep.equal([
        'test-20260202T235958Z-before-demo.0003_more.db',
        'test-20260203T235958Z-before-demo.0004_more.db',
        'test-20260204T235958Z-before-demo.0005_more.db',
      ]);
    });

    it('no copy is removed for an upgrade that fails at its first step', async () => {
      const all = steps.slice(0, 1);
      for (const days of [1, 2, 3]) {
        all.push(creates(`000${days + 1}_more`, `demo_more_${days}`));
        await start(release(...all), {}, days);
      }
      const kept = copies();
      expect(kept).to.have.length(3);
      const fails = { ...broken, name: '0005_broken' };
      expect((await failure(start(release(...all, fails), {}, 4))).message).to.include('changed nothing');
      expect(copies()).to.deep.equal(kept);
    });

    it('one copy is made by two instances that start together', async () => {
      const both = await Promise.all([start(after, {}, 1), start(after, {}, 2)]);
      expect(both.flat().flatMap(({ applied }) => applied)).to.have.members(['0002_parts', '0003_colours']);
      expect(copies()).to.have.length(1);
    });

    it('no step runs when the copy cannot be written', async () => {
      const database = await open();
      const upgradeBackup = new SqliteUpgradeBackup({
        file: join(file(), 'x.db'),
        logger,
        clock: systemClock,
      });
      const error = await failure(migrate({ ...database, upgradeBackup }, after, { logger }));
      expect(error.message).to.match(/could not be copied to .*No table was changed/);
      expect(await database.knex.schema.hasTable('demo_parts')).to.equal(false);
      await database.close();
    });

    it('nothing is copied when the operator disabled it', async () => {
      await start(after, { backup_before_upgrade: false });
      expect(existsSync(folder())).to.equal(false);
      expect(said.join('\n')).to.include('database.backup_before_upgrade is false');
    });
  });
});
