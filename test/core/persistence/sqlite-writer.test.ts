import { expect } from 'chai';
import Sqlite from 'better-sqlite3';
import { rmSync } from 'node:fs';
import { SqliteWriter } from '../../../core/persistence/sqlite/writer.ts';
import { makeScratch, type Scratch } from '../../../core/testing.ts';
import { quiet } from '../../support/quiet.ts';
import { failure } from './support.ts';

const row = (id: string) => [{ table: 'notes', columns: { id: 'text' }, rows: [[id]] }] as const;

describe('persistence: the write worker of SQLite', () => {
  let scratch: Scratch;
  let file: string;
  let writer: SqliteWriter;
  beforeEach(async () => {
    scratch = await makeScratch('sqlite');
    file = scratch.databaseUrl.slice('sqlite:'.length);
    makeNotes();
    writer = new SqliteWriter({ file, busyTimeoutMs: 100 }, quiet);
  });
  afterEach(async () => {
    await writer.close();
    await scratch.remove();
  });

  function makeNotes(): void {
    const connection = new Sqlite(file);
    connection.exec('CREATE TABLE notes (id TEXT PRIMARY KEY)');
    connection.close();
  }

  it('fails what it had with 503 when it dies, and is replaced by the next write', async () => {
    await writer.write(row('a'));
    writer.kill();
    expect(await failure(writer.write(row('lost')))).to.include({ status: 503 });
    await writer.write(row('b'));
    const connection = new Sqlite(file);
    expect(connection.prepare('SELECT id FROM notes').pluck().all()).to.deep.equal(['a', 'b']);
    connection.close();
  });

  it('answers 503 while another process holds the file, and goes on afterwards', async () => {
    const other = new Sqlite(file);
    other.exec('BEGIN IMMEDIATE');
    expect(await failure(writer.write(row('a')))).to.include({ status: 503 });
    other.exec('ROLLBACK');
    other.close();
    await writer.write(row('a'));
  });

  it('answers 503 while the file is away, and opens it again when it is back', async () => {
    rmSync(file);
    expect(await failure(writer.write(row('a')))).to.include({ status: 503 });
    makeNotes();
    await writer.write(row('a'));
  });
});
