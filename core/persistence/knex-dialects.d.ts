/** The two dialects of knex that are extended here; knex publishes them without types. */
declare module 'knex/lib/dialects/better-sqlite3/index.js' {
  import type { Knex } from 'knex';
  import type Sqlite from 'better-sqlite3';

  export default class BetterSqliteClient extends Knex.Client {
    constructor(config: Knex.Config);
    acquireConnection(): Promise<Sqlite.Database>;
    query(connection: unknown, query: unknown): Promise<unknown>;
    _query(
      connection: Sqlite.Database & { __knex__disposed?: unknown },
      query: { sql: string; bindings?: readonly unknown[] },
    ): Promise<unknown>;
  }
}

declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex';
  import type pg from 'pg';

  export default class PostgresClient extends Knex.Client {
    constructor(config: Knex.Config);
    acquireConnection(): Promise<pg.PoolClient>;
    query(connection: unknown, query: unknown): Promise<unknown>;
    _query(
      connection: pg.PoolClient & { __knex__disposed?: unknown },
      query: { sql: string; bindings?: readonly unknown[] },
    ): Promise<unknown>;
  }
}
