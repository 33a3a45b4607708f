import pg from 'pg';

/** Makes an empty schema and answers the URL whose connections see nothing but it; for tests. */
export async function makeSchema(url: string, name: string): Promise<string> {
  await run(url, `CREATE SCHEMA ${name}`);
  const within = new URL(url);
  within.searchParams.set('options', `-c search_path=${name}`);
  // `pg` reads the options as they stand, where a plus sign is not a space.
  return within.href.replaceAll('+', '%20');
}

/** Drops a schema with all that is in it. */
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
