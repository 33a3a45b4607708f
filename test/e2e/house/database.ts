import Sqlite from 'better-sqlite3';
import pg from 'pg';
import type { Engine } from '../../../core/index.ts';
import { makeScratch, type Scratch } from '../../../core/testing.ts';
import { copyOf, makeTemplate } from '../../support/databases/template-databases.ts';

/** A place of its own without tables; on PostgreSQL a whole database, since a move looks at all connections to it. */
export async function emptyPlace(engine: Engine): Promise<Scratch> {
  return engine === 'sqlite' ? makeScratch(engine) : copyOf(await makeTemplate(async () => undefined));
}

/** What a statement finds in a database of which another process may be the owner. */
export async function rowsIn(
  { databaseUrl }: Pick<Scratch, 'databaseUrl'>,
  sql: string,
): Promise<Record<string, unknown>[]> {
  if (databaseUrl.startsWith('sqlite:')) {
    const file = new Sqlite(databaseUrl.slice('sqlite:'.length), { readonly: true });
    try {
      return file.prepare<[], Record<string, unknown>>(sql).all();
    } finally {
      file.close();
    }
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
