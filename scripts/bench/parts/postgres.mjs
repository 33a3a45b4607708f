import { userInfo } from 'node:os';
import pg from 'pg';

pg.defaults.user ??= userInfo().username;
const server = process.env.TEST_DATABASE_URL ?? 'postgres://127.0.0.1:5432/test';

/** Makes a schema for one measurement on `TEST_DATABASE_URL`, or the server of this machine; `undefined` without one. */
export async function postgresForBench() {
  const schema = `vitrine_bench_${process.pid}`;
  const run = async (sql) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  try {
    await run(`CREATE SCHEMA ${schema}`);
  } catch (error) {
    console.error(`Without PostgreSQL: ${error.message}`);
    return undefined;
  }
  const url = new URL(server);
  url.searchParams.set('options', `-c search_path=${schema}`);
  return { url: url.href, drop: () => run(`DROP SCHEMA ${schema} CASCADE`) };
}
