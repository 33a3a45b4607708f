import knexPkg, { type Knex } from 'knex';

/** What knex asks a connection: a statement, or the text of one that begins or ends a transaction. */
export type KnexQuery = string | { readonly sql: string; readonly bindings?: readonly unknown[] };

/** The class that knex has for an engine, to be extended. */
export function dialect(client: 'better-sqlite3' | 'pg'): typeof Knex.Client {
  const { client: made } = knexPkg({ client, useNullAsDefault: true });
  return (made as Knex.Client).constructor as typeof Knex.Client;
}

/** What both engines have in common. */
export const commonOptions = {
  // Or each message of a failure would begin with the statement and its values, which belong into no log.
  compileSqlOnError: false,
} satisfies Knex.Config;

/** The values of a query; none for the text of one. */
export function bindingsOf(query: KnexQuery): readonly unknown[] {
  return typeof query === 'string' ? [] : (query.bindings ?? []);
}

/** Takes the statement, with which knex begins the message of a failure, out of it again. */
export function withoutStatement(error: unknown, query: KnexQuery): unknown {
  const prefix = `${typeof query === 'string' ? query : query.sql} - `;
  if (error instanceof Error && error.message.startsWith(prefix)) {
    error.message = error.message.slice(prefix.length);
  }
  return error;
}
