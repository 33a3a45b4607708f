import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import knexPkg from 'knex';
import type { Engine } from '../persistence/database.ts';
import { randomSecret } from '../runtime/ids.ts';

/** A database and a data directory of its own, thrown away afterwards. */
export interface Scratch {
  readonly dataDir: string;
  readonly databaseUrl: string;
  remove(): Promise<void>;
}

/** PostgreSQL for tests: `TEST_DATABASE_URL`, or the one on this machine. */
export function testPostgresUrl(): string {
  return process.env['TEST_DATABASE_URL'] ?? 'postgres://127.0.0.1:5432/test';
}

/** Makes an empty database: a file on SQLite, a schema on PostgreSQL. */
export async function makeScratch(engine: Engine): Promise<Scratch> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-test-'));
  const removeFiles = (): void => rmSync(dataDir, { recursive: true, force: true });
  if (engine === 'sqlite') {
    return { dataDir, databaseUrl: `sqlite:${join(dataDir, 'test.db')}`, remove: async () => removeFiles() };
  }
  const schema = `vitrine_test_${randomSecret(6).toString('hex')}`;
  await onPostgres(`CREATE SCHEMA ${schema}`);
  const url = new URL(testPostgresUrl());
  url.searchParams.set('options', `-c search_path=${schema}`);
  return {
    dataDir,
    databaseUrl: url.href.replaceAll('+', '%20'),
    remove: async () => {
      await onPostgres(`DROP SCHEMA ${schema} CASCADE`);
      removeFiles();
    },
  };
}

async function onPostgres(statement: string): Promise<void> {
  const knex = knexPkg({ client: 'pg', connection: testPostgresUrl(), pool: { min: 0, max: 1 } });
  try {
    await knex.raw(statement);
  } finally {
    await knex.destroy();
  }
}
