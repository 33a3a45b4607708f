import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { makeSchema } from '../../../core/persistence/postgres/scratch-schema.ts';
import type { Scratch } from '../../../core/testing.ts';
import { testPostgresUrl } from '../../../core/testing/scratch.ts';

/** The tables stand in a schema of this name, for those of an installation need not stand in `public`. */
const SCHEMA = 'vitrine_test';

/** What all databases of one run of mocha begin with; its workers inherit it. */
const RUN = 'VITRINE_TEST_DATABASES';

/** A database whose copies are as it is. */
export interface Template {
  readonly name: string;
  /** Of its tables. */
  readonly url: string;
  /** How it is copied: as files in half the time, which servers before PostgreSQL 15 always do. */
  readonly strategy: '' | 'STRATEGY FILE_COPY';
}

/** Makes a database, and what is in it. */
export async function makeTemplate(fill: (url: string) => Promise<void>): Promise<Template> {
  const name = newName();
  await command(`CREATE DATABASE ${name}`);
  const url = await makeSchema(at(testPostgresUrl(), name), SCHEMA);
  await fill(url);
  return { name, url, strategy: (await serverVersion()) >= 15 ? 'STRATEGY FILE_COPY' : '' };
}

/** A database of its own with what the template holds. */
export async function copyOf(template: Template): Promise<Scratch> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-test-'));
  const name = newName();
  await command(`CREATE DATABASE ${name} TEMPLATE ${template.name} ${template.strategy}`);
  return {
    dataDir,
    databaseUrl: at(template.url, name),
    remove: async () => {
      await command(`DROP DATABASE ${name} WITH (FORCE)`);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Called by mocha in its first process, before it starts workers. */
export function mochaGlobalSetup(): void {
  process.env[RUN] = `vitrine_test_${randomBytes(4).toString('hex')}`;
}

/** Called by mocha when all suites have ended. Suites that need no PostgreSQL run without one, and left nothing there. */
export async function mochaGlobalTeardown(): Promise<void> {
  if (!(await isServerThere())) return;
  const like = `${nameOfRun().replaceAll('_', '\\_')}\\_%`;
  const found = await server().query<{ name: string }>(
    'SELECT datname AS name FROM pg_database WHERE datname LIKE $1',
    [like],
  );
  for (const { name } of found.rows) await command(`DROP DATABASE ${name} WITH (FORCE)`);
}

function newName(): string {
  return `${nameOfRun()}_${randomBytes(6).toString('hex')}`;
}

function nameOfRun(): string {
  const name = process.env[RUN];
  if (!name)
    throw new Error('Databases are made in a run of mocha that --require this file, and dropped at its end.');
  return name;
}

/** The same URL with another database. */
function at(url: string, database: string): string {
  const there = new URL(url);
  there.pathname = `/${database}`;
  return there.href;
}

async function isServerThere(): Promise<boolean> {
  try {
    await command('SELECT 1');
    return true;
  } catch {
    return false;
  }
}

async function command(statement: string): Promise<void> {
  await server().query(statement);
}

async function serverVersion(): Promise<number> {
  const { rows } = await server().query<{ server_version_num: string }>('SHOW server_version_num');
  return Math.floor(Number(rows[0]!.server_version_num) / 10_000);
}

let pool: pg.Pool | undefined;

/** One connection for all commands of a process, which it does not keep from ending: opening one costs as much as a database. */
function server(): pg.Pool {
  if (pool) return pool;
  pool = new pg.Pool({
    connectionString: testPostgresUrl(),
    max: 1,
    idleTimeoutMillis: 300_000,
    allowExitOnIdle: true,
  });
  pool.on('error', () => undefined);
  return pool;
}
