import type { Connection, Engine } from './database.ts';

const TABLES: Record<Engine, string> = {
  sqlite: "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_'",
  postgres: 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
};

/** The names of all tables of the installation. */
export async function tableNames(connection: Connection, engine: Engine): Promise<ReadonlySet<string>> {
  const answer = (await connection.raw(TABLES[engine])) as { name: string }[] | { rows: { name: string }[] };
  const rows = Array.isArray(answer) ? answer : answer.rows;
  return new Set(rows.map(({ name }) => name));
}
