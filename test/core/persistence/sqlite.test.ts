import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect } from 'chai';
import type { OpenDatabase } from '../../../core/persistence/kernel-database.ts';
import { migrate } from '../../../core/persistence/migrations/migrate.ts';
import { quiet } from '../../support/quiet.ts';
import { failure, openAt, overwriteAfterFirstPage, shop } from './support.ts';

describe('persistence: a SQLite file', () => {
  let directory: string;
  let database: OpenDatabase | undefined;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'vitrine-sqlite-'));
  });
  afterEach(async () => {
    await database?.close();
    database = undefined;
    rmSync(directory, { recursive: true, force: true });
  });

  const open = async (file = 'new/test.db'): Promise<OpenDatabase> =>
    (database = await openAt(`sqlite:${join(directory, file)}`));
  const pragma = async (name: string): Promise<unknown> => {
    const rows = (await database?.knex.raw(`PRAGMA ${name}`)) as Record<string, unknown>[];
    return Object.values(rows[0] ?? {})[0];
  };

  it('is made with its directory, readable by its owner alone', async () => {
    await open();
    expect(statSync(join(directory, 'new/test.db')).mode & 0o777).to.equal(0o600);
  });

  it('is durable and strict: write-ahead log, full synchronisation, foreign keys', async () => {
    await open();
    expect(await pragma('journal_mode')).to.equal('wal');
    expect(await pragma('synchronous')).to.equal(2);
    expect(await pragma('foreign_keys')).to.equal(1);
  });

  it('stops the start with one sentence when it is not a database', async () => {
    writeFileSync(
      join(directory, 'text.db'),
      'This is a letter to a friend, and a rather long one. '.repeat(50),
    );
    const error = await failure(open('text.db'));
    expect(error.name).to.equal('StartupError');
    expect(error.message).to.match(/text\.db is damaged, or is no SQLite database: .*copy the backup over/);
    expect(error.message).to.contain('No backup from before an upgrade lies beside it.');
  });

  it('stops the start with where its backups lie when it is damaged', async () => {
    mkdirSync(join(directory, 'backups'));
    writeFileSync(join(directory, 'backups', 'test-20260101T000000Z-before-x.db'), '');
    writeFileSync(join(directory, 'test.db'), 'x'.repeat(8192));
    const error = await failure(open('test.db'));
    expect(error.message).to.contain(`made before upgrades are in ${join(directory, 'backups')}.`);
  });

  it('answers 503 that says so when a page of it is damaged', async () => {
    const damaged = await open();
    await migrate(damaged, [shop], { logger: quiet });
    await damaged.close();
    overwriteAfterFirstPage(join(directory, 'new/test.db'));
    const again = await open();
    const error = await failure(again.knex('shop_items').select());
    expect(error).to.include({ status: 503, code: 'store_unavailable' });
    expect(error.message).to.equal('The database is damaged. Its operator must restore a backup.');
  });

  it('stops the start with one sentence when its directory cannot be made', async () => {
    writeFileSync(join(directory, 'file'), '');
    const error = await failure(open('file/test.db'));
    expect(error.message).to.match(/cannot be opened: .*DATABASE_URL/);
  });

  it('answers 503 to writes while it is full, still reads, and recovers when there is space', async () => {
    const full = await open();
    await migrate(full, [shop], { logger: quiet });
    await full.knex('shop_items').insert({ id: 'a', name: 'lamp' });
    await full.knex.raw(`PRAGMA max_page_count = ${Number(await pragma('page_count'))}`);
    const fill = () =>
      full.transaction((trx) => trx('shop_items').insert({ id: 'big', name: 'x'.repeat(100_000) }));
    expect(await failure(fill())).to.include({ status: 503, code: 'store_unavailable' });
    expect(await full.knex('shop_items').pluck('id')).to.deep.equal(['a']);
    await full.knex.raw('PRAGMA max_page_count = 1000000');
    await fill();
    expect(await full.knex('shop_items').pluck('id')).to.have.members(['a', 'big']);
  });

  it('does not stop the main loop while a batch is written', async () => {
    const busy = await open();
    await migrate(busy, [shop], { logger: quiet });
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 1);
    const rows = Array.from({ length: 60_000 }, (_, n) => [`id ${n}`, `name ${n}`]);
    await busy.write([{ table: 'shop_items', columns: { id: 'text', name: 'text' }, rows }]);
    clearInterval(timer);
    expect(ticks).to.be.greaterThan(10);
  });

  it('does not stop the main loop while another connection has the lock', async () => {
    const waiting = await open();
    await migrate(waiting, [shop], { logger: quiet });
    const other = new Sqlite(join(directory, 'new/test.db'));
    for (const work of [
      () => waiting.knex('shop_items').insert({ id: 'a', name: 'lamp' }),
      () => waiting.transaction((trx) => trx('shop_items').insert({ id: 'b', name: 'desk' })),
    ]) {
      other.exec('BEGIN IMMEDIATE');
      // Runs only when the main loop does.
      setTimeout(() => other.exec('COMMIT'), 20);
      await work();
    }
    other.close();
    expect(await waiting.knex('shop_items').pluck('id')).to.have.members(['a', 'b']);
  });

  it('finishes the batches under way before it is closed', async () => {
    const closing = await open();
    await migrate(closing, [shop], { logger: quiet });
    const written = closing.write([
      { table: 'shop_items', columns: { id: 'text', name: 'text' }, rows: [['a', 'lamp']] },
    ]);
    await Promise.all([closing.close(), written]);
    const again = await open();
    expect(await again.knex('shop_items').pluck('id')).to.deep.equal(['a']);
  });

  it('answers 503 after it was closed', async () => {
    const closed = await open();
    await closed.close();
    const batch = [{ table: 'shop_items', columns: { id: 'text' }, rows: [['a']] }] as const;
    expect(await failure(closed.write(batch))).to.include({ status: 503 });
    expect(await failure(closed.knex('shop_items'))).to.include({ status: 503 });
  });
});
