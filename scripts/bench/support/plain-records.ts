import Sqlite from 'better-sqlite3';
import pg from 'pg';
import type { BatchInsert, Engine } from '../../../core/index.ts';
import { WorkerCalls } from '../../../core/support/worker-calls.ts';

/** Id, user, algorithm and payload. */
export type PlainRecord = readonly [string, string, string, string];

const SQLITE = 'sqlite:';
const COLUMNS = { id: 'text', user_id: 'text', algorithm_id: 'text', payload: 'text' } as const;
const INSERT = 'INSERT INTO records SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])';

/** The records as a batch of the kernel. */
export function plainInsert(rows: readonly PlainRecord[]): BatchInsert {
  return { table: 'records', columns: COLUMNS, rows };
}

/** Makes the SQLite file of a URL, with that table, and answers its path. */
export function makePlainFile(databaseUrl: string): string {
  const file = databaseUrl.slice(SQLITE.length);
  const connection = new Sqlite(file);
  connection.exec(plainTables('sqlite'));
  connection.close();
  return file;
}

/** A thread with better-sqlite3 and nothing else, for a file that has the table. */
export function plainWriterThread(file: string): WorkerCalls<BatchInsert, void> {
  return new WorkerCalls({
    module: './plain-writer-worker',
    callerUrl: import.meta.url,
    data: file,
    lost: console.error,
  });
}

/** Makes the table in an empty database; what it answers resolves when rows are durable there, by the driver alone. */
export async function openPlainRecords(
  databaseUrl: string,
): Promise<(rows: readonly PlainRecord[]) => Promise<unknown>> {
  if (databaseUrl.startsWith(SQLITE)) {
    const thread = plainWriterThread(makePlainFile(databaseUrl));
    return (rows) => thread.ask(plainInsert(rows));
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(plainTables('postgres'));
  return (rows) => {
    const values = Object.keys(COLUMNS).map((_, column) => rows.map((row) => row[column]));
    return client.query({ name: 'records', text: INSERT, values });
  };
}

/** Records with no more than a key and two indexes. */
function plainTables(engine: Engine): string {
  return `
    CREATE TABLE records (id TEXT PRIMARY KEY, user_id TEXT, algorithm_id TEXT, payload TEXT)
      ${engine === 'sqlite' ? 'WITHOUT ROWID' : ''};
    CREATE INDEX records_user ON records (user_id, id);
    CREATE INDEX records_algorithm ON records (algorithm_id, id);`;
}
