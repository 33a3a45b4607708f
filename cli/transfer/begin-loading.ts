import { StartupError } from '../../core/errors/startup-error.ts';
import type { Logger } from '../../core/telemetry/logger.ts';
import type { PluginMigrations } from '../../core/persistence/migrations/ledger.ts';
import { migrate } from '../../core/persistence/migrations/migrate.ts';
import type { OpenDatabase } from '../../core/persistence/kernel-database.ts';
import type { RowTarget } from './row-target.ts';
import type { Transfer } from '../../core/persistence/migrations/unfinished-transfer.ts';

export interface Loading {
  readonly target: RowTarget;
  readonly transfer: Transfer;
  /** The steps that make the tables of the source. */
  readonly steps: readonly PluginMigrations[];
  readonly logger: Logger;
  /** Opens the target as a service would. The caller closes it. */
  open(): Promise<OpenDatabase>;
}

/** Makes the tables of the source in an empty database, or goes on with the same transfer. Throws `StartupError` for any other database. */
export async function beginLoading(loading: Loading): Promise<void> {
  const { target, transfer, steps, logger } = loading;
  const unfinished = await target.unfinished();
  if (unfinished) refuseOther(target, transfer, unfinished);
  else {
    if (await target.hasTables()) throw notEmpty(target);
    await target.begin(transfer);
  }
  const database = await loading.open();
  try {
    await migrate(database, steps, { logger, isLoading: true });
  } finally {
    await database.close();
  }
  await target.prepare();
}

function refuseOther({ description }: RowTarget, transfer: Transfer, other: Transfer): void {
  if (other.command === transfer.command && other.from === transfer.from) return;
  throw new StartupError(
    `The database (${description}) holds a part of the data of another transfer: \`vitrine ${other.command}\` from ${other.from} has not ended. ` +
      'Run that command again to go on with it, or delete this database and begin anew.',
  );
}

function notEmpty({ engine, description }: RowTarget): StartupError {
  const way =
    engine === 'sqlite'
      ? 'move its file away, with the files beside it that end in -wal and -shm, or name another one'
      : 'name an empty database, which `createdb` makes, or another schema';
  return new StartupError(
    `The database (${description}) is not empty. Nothing was changed. To keep what it has, ${way}.`,
  );
}
