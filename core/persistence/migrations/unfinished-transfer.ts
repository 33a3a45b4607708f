import { StartupError } from '../../errors/startup-error.ts';
import type { Database } from '../database.ts';

/** A table that exists in a database while another one is loaded into it; see `refuseUnfinishedTransfer`. */
export const TRANSFERS = 'core_transfers';
export const TRANSFERS_SQL = `CREATE TABLE ${TRANSFERS} (name text NOT NULL PRIMARY KEY, state text NOT NULL)`;

/** What is loaded into a database. */
export interface Transfer {
  readonly command: 'restore' | 'move';
  /** The id of the backup, or the description of the source. */
  readonly from: string;
}

/** Throws `StartupError` for a database that is loaded in part only: a service would take it for the whole. */
export async function refuseUnfinishedTransfer({
  knex,
  description,
}: Pick<Database, 'knex'> & { readonly description: string }): Promise<void> {
  if (!(await knex.schema.hasTable(TRANSFERS))) return;
  const row = (await knex(TRANSFERS).where({ name: '' }).first('state')) as { state: string } | undefined;
  const { command = 'restore', from = 'another' } = (row ? JSON.parse(row.state) : {}) as Partial<Transfer>;
  throw new StartupError(
    `The database (${description}) holds only a part of the data: \`vitrine ${command}\` from ${from} has not ended. ` +
      'Wait for it, or run the same command again: it goes on where it was. To give it up, delete this database.',
  );
}
