import pg from 'pg';
import { StartupError } from '../../../core/errors/startup-error.ts';
import type { DatabaseLocation } from '../../../core/persistence/location.ts';
import { whyUnreachable } from '../../../core/persistence/postgres/open.ts';

export type PostgresLocation = DatabaseLocation & { readonly engine: 'postgres' };

/** The name of these connections, which differs from that of a service. */
const APPLICATION = 'vitrine transfer';

/** Settings of each transaction: no time-outs, and text forms that do not depend on the server. They pass a pooler. */
export const TRANSFER_SETTINGS = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO';
  SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1; SET LOCAL synchronous_commit = on`;

/** A connection that answers all values as the server writes them. */
export interface PostgresSession {
  readonly description: string;
  rows(sql: string, values?: readonly unknown[]): Promise<(string | null)[][]>;
  close(): Promise<void>;
}

/** Connects. Throws `StartupError` when the server does not let it in or has no such schema. */
export async function openSession({ connectionString, shown }: PostgresLocation): Promise<PostgresSession> {
  const client = new pg.Client({
    connectionString,
    application_name: APPLICATION,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    types: { getTypeParser: () => (text: string) => text },
  });
  client.on('error', () => undefined);
  const close = (): Promise<void> => client.end().catch(() => undefined);
  const rows: PostgresSession['rows'] = async (text, values = []) => {
    const query = values.length > 0 ? { text, values: [...values] } : { text };
    const asked = client.query<(string | null)[]>({ ...query, rowMode: 'array' });
    const result = await asked.catch((error: Error) => {
      throw new StartupError(`PostgreSQL ${shown} answers: ${error.message}`, [], { cause: error });
    });
    return result.rows ?? [];
  };
  await client.connect().catch(async (error: unknown) => {
    await close();
    throw new StartupError(whyUnreachable(error, shown), [], { cause: error });
  });
  const [[schema] = []] = await rows('SELECT current_schema()');
  if (schema) return { description: `PostgreSQL ${shown}, schema ${schema}`, rows, close };
  await close();
  throw new StartupError(
    `The database at ${shown} has none of the schemas in its search path. Create the schema, or correct the URL.`,
  );
}

/** The name of the connections of a service. */
const SERVICE = 'vitrine';

/** The number of connections that services of Vitrine have to the database, in whatever schema. */
export async function serviceConnections(location: PostgresLocation): Promise<number> {
  const session = await openSession(location);
  try {
    const [[count] = []] = await session.rows(
      'SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
      [SERVICE],
    );
    return Number(count);
  } finally {
    await session.close();
  }
}
