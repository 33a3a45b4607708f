import pg from 'pg';

/** Every row of every table of the schema that comes first in the search path, as text. */
export async function rowsOf(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
    );
    const texts: string[] = [];
    for (const { name } of tables.rows)
      texts.push(JSON.stringify((await client.query(`SELECT * FROM "${name}"`)).rows));
    return texts.join('\n');
  } finally {
    await client.end();
  }
}
