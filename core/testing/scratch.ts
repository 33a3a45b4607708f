import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '../errors/startup-error.ts';
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
  if (engine !== 'postgres') {
    removeFiles();
    throw new Error(`The engine is ${String(engine)}; it must be "sqlite" or "postgres".`);
  }
  const schema = `vitrine_test_${randomSecret(6).toString('hex')}`;
  return {
    dataDir,
    databaseUrl: await makeSchema(testPostgresUrl(), schema).catch((error: unknown) => {
      removeFiles();
      throw postgresAway(error);
    }),
    remove: async () => {
      await dropSchema(testPostgresUrl(), schema);
      removeFiles();
    },
  };
}

function postgresAway(error: unknown): StartupError {
  const { message } = error as Error;
  return new StartupError(
    `PostgreSQL cannot be used at ${shownAddress(testPostgresUrl())}: ${message}. Name a database for tests in TEST_DATABASE_URL, or test on SQLite only (vitrine plugins check has --engine sqlite).`,
    [],
    { cause: error },
  );
}

/** Without user and query, since both may hold a password. */
function shownAddress(url: string): string {
  if (!URL.canParse(url)) return 'TEST_DATABASE_URL, which is no address';
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
