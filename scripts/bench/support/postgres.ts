import pg from 'pg';
import { testPostgresUrl } from '../../../core/testing/scratch.ts';

const MAY_NOT = '42501';

/** The version of the PostgreSQL that is measured, and whether it waits for the disk. */
export function postgresVersion(): Promise<string> {
  return connected(async (client) => {
    const { rows } = await client.query<Record<string, string>>(
      `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
        current_setting('synchronous_commit') AS commit`,
    );
    const { version, fsync, commit } = rows[0]!;
    return `${version} (fsync ${fsync}, synchronous_commit ${commit})`;
  });
}

/** Ends the checkpoint that is spread over minutes, where the user of the tests may. */
export function endCheckpoint(): Promise<void> {
  return connected(async (client) => {
    await client.query('CHECKPOINT').catch((error: unknown) => {
      if ((error as pg.DatabaseError).code !== MAY_NOT) throw error;
    });
  });
}

/** What a dump does: a transaction whose snapshot keeps every version of every row until it is released. */
export async function holdSnapshot(): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: testPostgresUrl() });
  await client.connect();
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await client.query('SELECT 1');
  return { release: () => client.end() };
}

async function connected<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: testPostgresUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
