import knexPkg, { type Knex } from 'knex';
import type { Logger } from '../telemetry/logger.ts';

/** A query that knex sends to a connection: a statement, or the text that begins or ends a transaction. */
export type KnexQuery = string | { readonly sql: string; readonly bindings?: readonly unknown[] };

/** The client class of knex for an engine, to be extended. */
export function dialect(client: 'better-sqlite3' | 'pg'): typeof Knex.Client {
  const { client: made } = knexPkg({ client, useNullAsDefault: true });
  return (made as Knex.Client).constructor as typeof Knex.Client;
}

/** Options for both engines. */
export const commonOptions = {
  // Otherwise each error message would begin with the statement and its values, which must not be logged.
  compileSqlOnError: false,
} satisfies Knex.Config;

/** The values of a query; none for a plain text. */
export function bindingsOf(query: KnexQuery): readonly unknown[] {
  return typeof query === 'string' ? [] : (query.bindings ?? []);
}

/** Removes the statement that knex puts in front of an error message. */
export function withoutStatement(error: unknown, query: KnexQuery): unknown {
  const prefix = `${typeof query === 'string' ? query : query.sql} - `;
  if (error instanceof Error && error.message.startsWith(prefix)) {
    error.message = error.message.slice(prefix.length);
  }
  return error;
}

/** Logs the messages of knex at debug level; failures reach operators as errors. */
export function knexLog(logger: Logger): Knex.Logger {
  const log = (message: unknown): void => logger.debug({ library: 'knex' }, String(message));
  return {
    warn: log,
    error: log,
    debug: log,
    deprecate: (method, alternative) => log(`${method} is deprecated: ${alternative}`),
  };
}
