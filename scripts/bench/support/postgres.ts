import { testPostgresUrl } from '../../../core/testing/scratch.ts';
import pg from 'pg';

/** The version of the PostgreSQL that is measured, and whether it waits for the disk. */
export async function postgresVersion(): Promise<string> {
  const client = new pg.Client({ connectionString: testPostgresUrl() });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, string>>(
      `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
        current_setting('synchronous_commit') AS commit`,
    );
    const { version, fsync, commit } = rows[0]!;
    return `${version} (fsync ${fsync}, synchronous_commit ${commit})`;
  } finally {
    await client.end();
  }
}
