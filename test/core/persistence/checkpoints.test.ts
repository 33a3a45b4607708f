import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { OpenDatabase } from '../../../core/persistence/kernel-database.ts';
import { Checkpoints, type CheckpointThreads } from '../../../core/persistence/sqlite/checkpoints.ts';
import type { Logger } from '../../../core/telemetry/logger.ts';
import { quiet } from '../../support/quiet.ts';
import { until } from '../../support/until.ts';
import { openAt } from './support.ts';

const MEBIBYTE = 1024 * 1024;
const LIMITS = { pass: 10, log: 100 };

describe('persistence: checkpoints of SQLite', () => {
  describe('of a file', () => {
    let directory: string;
    let file: string;
    const opened: OpenDatabase[] = [];
    beforeEach(() => {
      directory = mkdtempSync(join(tmpdir(), 'vitrine-checkpoints-'));
      file = join(directory, 'test.db');
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((database) => database.close()));
      rmSync(directory, { recursive: true, force: true });
    });

    async function open(): Promise<OpenDatabase> {
      const database = await openAt(`sqlite:${file}`);
      opened.push(database);
      return database;
    }

    async function withNotes(): Promise<OpenDatabase> {
      const database = await open();
      await database.knex.raw('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)');
      return database;
    }

    async function fill(database: OpenDatabase, mebibytes: number): Promise<void> {
      const rows = [[null, 'x'.repeat(MEBIBYTE)]];
      for (let n = 0; n < mebibytes; n += 1) {
        await database.write([{ table: 'notes', columns: { id: 'integer', text: 'text' }, rows }]);
      }
    }

    it('keep the log short while there is always more to write, and bring all into the file', async () => {
      const database = await withNotes();
      await fill(database, 300);
      // The log is restarted after 64 MiB, or later where the machine leaves the other thread little time.
      expect(statSync(`${file}-wal`).size).to.be.below(200 * MEBIBYTE);
      expect(statSync(file).size).to.be.above(100 * MEBIBYTE);
    }).timeout(60_000);

    it('bring the little that a quiet service has written into the file, by transaction or by batch', async () => {
      const database = await withNotes();
      await database.transaction((trx) => trx('notes').insert({ text: 'by a transaction' }));
      await database.write([{ table: 'notes', columns: { text: 'text' }, rows: [['by a batch']] }]);
      const alone = join(directory, 'alone.db');
      let seen = 0;
      await until(() => {
        const { mtimeMs } = statSync(file);
        if (mtimeMs === seen) return false;
        seen = mtimeMs;
        // In another process: here it would end the locks that SQLite has on the file.
        execFileSync('cp', [file, alone]);
        return readFileSync(alone, 'latin1').includes('by a batch');
      });
      const copy = await openAt(`sqlite:${alone}`);
      opened.push(copy);
      expect(await copy.knex('notes').pluck('text')).to.have.members(['by a transaction', 'by a batch']);
    });

    /** Of this process, by Linux. */
    function locks(): number {
      const mine = new RegExp(` ${process.pid} \\S+:${statSync(file).ino} `);
      return readFileSync('/proc/locks', 'utf8')
        .split('\n')
        .filter((line) => mine.test(line)).length;
    }

    (existsSync('/proc/locks') ? it : it.skip)(
      'leave SQLite its locks on a file that is closed once',
      async () => {
        const database = await withNotes();
        expect(locks()).to.be.above(0);
        const other = await open();
        await other.close();
        expect(locks()).to.be.above(0);
        await database.close();
        expect(locks()).to.equal(0);
      },
    );
  });

  describe('after a write with the size of the log', () => {
    let asked: string[];
    let stands: { pages: number; copied: number };
    let said: string[];
    const logger: Logger = {
      ...quiet,
      warn: () => void said.push('warning'),
      error: () => void said.push('error'),
    };
    const threads: CheckpointThreads = {
      beside: async () => {
        asked.push('beside');
        return stands;
      },
      sync: async () => void asked.push('sync'),
      between: async () => {
        asked.push('between');
        return stands;
      },
      crash: () => void said.push('crash'),
    };
    beforeEach(() => {
      asked = [];
      said = [];
      stands = { pages: 0, copied: 0 };
    });

    async function told(checkpoints: Checkpoints, pages: number, copied: number): Promise<string[]> {
      asked = [];
      checkpoints.wrote({ pages, copied });
      await turn();
      return asked;
    }

    it('wait until there is enough to copy, and copy beside the writer', async () => {
      const checkpoints = new Checkpoints(threads, logger, LIMITS);
      expect(await told(checkpoints, 9, 0)).to.deep.equal([]);
      stands = { pages: 11, copied: 11 };
      expect(await told(checkpoints, 11, 0)).to.deep.equal(['beside', 'sync']);
    });

    it('copy what is left between two writes when no pass has begun for a while', async () => {
      const checkpoints = new Checkpoints(threads, logger, LIMITS);
      stands = { pages: 3, copied: 3 };
      asked = [];
      checkpoints.keepUp();
      await turn();
      expect(asked).to.deep.equal(['between', 'sync']);
    });

    it('leave the writer alone while there are many writes', async () => {
      const checkpoints = new Checkpoints(threads, logger, LIMITS);
      stands = { pages: 11, copied: 11 };
      await told(checkpoints, 11, 0);
      asked = [];
      checkpoints.keepUp();
      await turn();
      expect(asked).to.deep.equal([]);
      checkpoints.keepUp();
      await turn();
      expect(asked).to.deep.equal(['between', 'sync']);
    });

    it('copy between two writes, once all else is on the disk, when the log has become long', async () => {
      const checkpoints = new Checkpoints(threads, logger, LIMITS);
      stands = { pages: 101, copied: 99 };
      expect(await told(checkpoints, 100, 80)).to.deep.equal(['beside', 'sync', 'between']);
    });

    it('wait for more after a reader was in the way, and begin anew with a new log', async () => {
      const checkpoints = new Checkpoints(threads, logger, LIMITS);
      stands = { pages: 40, copied: 5 };
      await told(checkpoints, 40, 5);
      expect(await told(checkpoints, 44, 5)).to.deep.equal([]);
      expect(await told(checkpoints, 50, 5)).to.deep.equal(['beside', 'sync']);
      expect(await told(checkpoints, 3, 0)).to.deep.equal([]);
      expect(await told(checkpoints, 13, 0)).to.deep.equal(['beside', 'sync']);
    });

    it('say that one failed, and try again when there is more', async () => {
      const failing = { ...threads, beside: () => Promise.reject(new Error('The disk is away.')) };
      const checkpoints = new Checkpoints(failing, logger, LIMITS);
      await told(checkpoints, 20, 0);
      await told(checkpoints, 21, 0);
      expect(said).to.deep.equal(['warning']);
      await told(checkpoints, 30, 0);
      expect(said).to.deep.equal(['warning', 'warning']);
    });

    it('crash when the disk did not take what was copied: SQLite would begin its log again', async () => {
      stands = { pages: 101, copied: 101 };
      const failing = { ...threads, sync: () => Promise.reject(new Error('EIO')) };
      const checkpoints = new Checkpoints(failing, logger, LIMITS);
      expect(await told(checkpoints, 101, 0)).to.deep.equal(['beside']);
      expect(await told(checkpoints, 200, 0)).to.deep.equal([]);
      expect(said).to.deep.equal(['error', 'crash']);
    });

    it('run one at a time, and none after they were stopped', async () => {
      let finish: () => void = () => undefined;
      const slow = { ...threads, sync: () => new Promise<void>((resolve) => (finish = resolve)) };
      const checkpoints = new Checkpoints(slow, logger, LIMITS);
      stands = { pages: 101, copied: 101 };
      expect(await told(checkpoints, 101, 0)).to.deep.equal(['beside']);
      expect(await told(checkpoints, 150, 0)).to.deep.equal([]);
      let isStopped = false;
      const stopped = checkpoints.stop().then(() => (isStopped = true));
      await turn();
      expect(isStopped).to.equal(false);
      finish();
      await stopped;
      expect(asked).to.deep.equal([]);
      expect(await told(checkpoints, 200, 0)).to.deep.equal([]);
    });
  });
});
