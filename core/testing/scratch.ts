import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processEnvironment } from '../config/environment.ts';
import type { Engine } from '../persistence/database.ts';
import { dropSchema, makeSchema } from '../persistence/postgres/scratch-schema.ts';
import { randomSecret } from '../support/ids.ts';

/** A temporary database and data directory. */
export interface Scratch {
  readonly dataDir: string;
  readonly databaseUrl: string;
  remove(): Promise<void>;
}

/** The URL of PostgreSQL for tests: `TEST_DATABASE_URL`, or the server on this machine. */
export function testPostgresUrl(): string {
  return processEnvironment()['TEST_DATABASE_URL'] ?? 'postgres://127.0.0.1:5432/test';
}

/** Creates an empty database: a file on SQLite, a schema on PostgreSQL. */
export async function makeScratch(engine: Engine): Promise<Scratch> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-test-'));
  const removeFiles = (): void => rmSync(dataDir, { recursive: true, force: true });
  if (engine === 'sqlite') {
    return { dataDir, databaseUrl: `sqlite:${join(dataDir, 'test.db')}`, remove: async () => removeFiles() };
  }
  const schema = `vitrine_test_${randomSecret(6).toString('hex')}`;
  return {
    dataDir,
    databaseUrl: await makeSchema(testPostgresUrl(), schema),
    remove: async () => {
      await dropSchema(testPostgresUrl(), schema);
      removeFiles();
    },
  };
}
