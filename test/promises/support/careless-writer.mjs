/**
 * Stands in for a service that acknowledges too early: inserts rows into the file it is given with the `synchronous`
 * it is given, and prints the number of each once it is committed. Ends when it is killed.
 */
import { writeSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

const [file = '', synchronous = ''] = process.argv.slice(2);
const connection = new Sqlite(file);
connection.pragma('journal_mode = WAL');
connection.exec('CREATE TABLE IF NOT EXISTS rows (n INTEGER PRIMARY KEY)');
connection.pragma('wal_checkpoint(TRUNCATE)');
connection.pragma(`synchronous = ${synchronous}`);
const insert = connection.prepare('INSERT INTO rows (n) VALUES (?)');
for (let n = 1; ; n += 1) {
  insert.run(n);
  writeSync(1, `${n}\n`);
}
