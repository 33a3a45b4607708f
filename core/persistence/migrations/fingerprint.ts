import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import knex from 'knex';
import BetterSqliteClient from 'knex/lib/dialects/better-sqlite3/index.js';
import PostgresClient from 'knex/lib/dialects/postgres/index.js';
import type { Engine } from '../database.ts';
import type { Migration } from './migration.ts';

/** Another release of knex may word the same step otherwise, so fingerprints of two releases are not compared. */
export const FINGERPRINT_FORM = `knex ${knexVersion()}`;

/** Enough for any step but one that waits for what empty answers never tell. */
const MAX_STATEMENTS = 1000;

/** knex numbers them through the life of a process. */
const SAVEPOINT = /^\s*(?:savepoint|release|rollback to)\b/i;

/**
 * Tells whether a step that ran is still the same: a hash of the statements that it sends to a database whose answers are
 * all empty. What it is made of does not matter (comments, types, helpers, source or build), and neither do values that are
 * bound. A step that cannot go on without an answer is known by what it said until then.
 */
export async function fingerprintOf(step: Migration, engine: Engine): Promise<string> {
  const silent = knex({
    client: engine === 'postgres' ? SilentPostgres : SilentSqlite,
    useNullAsDefault: true,
  });
  const hash = createHash('sha256');
  let statements = 0;
  silent.on('query', ({ sql }: { readonly sql: string }) => {
    if ((statements += 1) > MAX_STATEMENTS) throw new Error('The step says too much.');
    if (SAVEPOINT.test(sql)) return;
    hash.update(`${sql}\n`);
  });
  await silent.transaction((trx) => step.up(trx, engine), { connection: {} }).catch(() => undefined);
  return hash.digest('hex');
}

function knexVersion(): string {
  const { version } = createRequire(import.meta.url)('knex/package.json') as { readonly version: string };
  return version;
}

class SilentPostgres extends PostgresClient {
  override async _query(_: unknown, query: object): Promise<unknown> {
    return Object.assign(query, { response: { command: 'SELECT', rows: [], rowCount: 0 } });
  }
}

class SilentSqlite extends BetterSqliteClient {
  override async _query(_: unknown, query: object): Promise<unknown> {
    return Object.assign(query, { response: [] });
  }
}
