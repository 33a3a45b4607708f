import pg from 'pg';

/** Creates an empty schema and returns a URL whose connections see only that schema; for tests. */
export async function makeSchema(url: string, name: string): Promise<string> {
  await run(url, `CREATE SCHEMA ${name}`);
  const within = new URL(url);
  within.searchParams.set('options', `-c search_path=${name}`);
  // `pg` does not decode a plus sign in the options as a space.
  return within.href.replaceAll('+', '%20');
}

/** Drops a schema with its contents. */
export async function dropSchema(url: string, name: string): Promise<void> {
  await run(url, `DROP SCHEMA ${name} CASCADE`);
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
