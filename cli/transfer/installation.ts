import { resolve } from 'node:path';
import { installationSecrets, type InstallationSecret } from './installation-secrets.ts';
import { JwtSettings, SecretsSettings } from '../../core/auth/settings.ts';
import type { Plan } from '../../core/kernel/plan.ts';
import { DataSettings } from '../../core/kernel/settings.ts';
import { locate, type DatabaseLocation } from '../../core/persistence/location.ts';
import { openDatabase } from '../../core/persistence/open-database.ts';
import type { OpenDatabase } from '../../core/persistence/kernel-database.ts';
import type { KeyRange } from './row-source.ts';
import { DatabaseSettings } from '../../core/persistence/settings.ts';
import { systemClock } from '../../core/support/clock.ts';
import type { Logger } from '../../core/telemetry/logger.ts';
import { createLogger } from '../../core/telemetry/pino-logger.ts';
import { LoggingSettings } from '../../core/telemetry/settings.ts';

/** What commands on the data of an installation work with. */
export interface DataOfInstallation {
  /** The absolute path of the data directory, which may not exist. */
  readonly dataDir: string;
  readonly location: DatabaseLocation;
  readonly url: string;
  readonly logger: Logger;
  /** Folders of the data directory whose files belong to a backup. */
  readonly folders: readonly string[];
  readonly secrets: () => readonly InstallationSecret[];
  /** Opens a database as a service would, but makes no copy before an upgrade. */
  readonly open: (url: string) => Promise<OpenDatabase>;
  /** Lets the plugins make room for the rows of a table, where the database is a PostgreSQL. */
  readonly makeRoom: (url: string, table: string, range: KeyRange) => Promise<void>;
}

export function dataOf({ configuration, plugins }: Plan): DataOfInstallation {
  const dataDir = resolve(configuration.valuesOf(DataSettings).dir);
  const settings = { ...configuration.valuesOf(DatabaseSettings), backup_before_upgrade: false };
  // Progress and the answer say what happens; the log has what went wrong.
  const { level } = configuration.valuesOf(LoggingSettings);
  const logger = createLogger({ level: level === 'debug' || level === 'info' ? 'error' : level });
  const parts = plugins.flatMap(({ definition }) => definition.backup ?? []);
  const open = (url: string): Promise<OpenDatabase> =>
    openDatabase({ url, dataDir, logger, clock: systemClock, settings });
  return {
    dataDir,
    location: locate(settings.url, dataDir),
    url: settings.url,
    logger,
    folders: parts.flatMap(({ folders = [] }) => folders),
    secrets: () =>
      installationSecrets(
        configuration.valuesOf(JwtSettings),
        configuration.valuesOf(SecretsSettings),
        dataDir,
      ),
    open,
    makeRoom: async (url, table, { first, last }) => {
      const makers = parts.flatMap(({ makeRoom }) => makeRoom ?? []);
      if (makers.length === 0 || locate(url, dataDir).engine === 'sqlite') return;
      const database = await open(url);
      try {
        const room = { table, first: String(first[0]), last: String(last[0]) };
        for (const makeRoom of makers) await database.alone((trx) => makeRoom(trx, room));
      } finally {
        await database.close();
      }
    },
  };
}
