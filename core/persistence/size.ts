import type { Database } from './database.ts';

/** Bytes that the database takes: the pages of the SQLite file, or all relations of the PostgreSQL database. */
export async function databaseSize({ engine, read }: Pick<Database, 'engine' | 'read'>): Promise<number> {
  const sql =
    engine === 'sqlite'
      ? 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()'
      : 'SELECT pg_database_size(current_database()) AS bytes';
  return (await read<{ bytes: number }>(sql).first())!.bytes;
}
