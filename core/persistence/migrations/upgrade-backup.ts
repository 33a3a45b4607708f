import { StartupError } from '../../errors/startup-error.ts';
import type { Logger } from '../../telemetry/logger.ts';

/** No backup could be made, so that no step may run. */
export class BackupFailed extends StartupError {}

/** How an upgrade of the tables is undone: by a backup of the whole database from before it. */
export interface UpgradeBackup {
  /** Before the first step, while nothing else writes: makes the backup, or says who has to. Throws `BackupFailed`. */
  make(step: string): Promise<void>;
  /** After an upgrade that changed nothing: removes the backup. */
  discard(): void;
  /** How to go back from the upgrade that is under way: sentences for the operator. */
  wayBack(): string;
  /** Where backups from before upgrades lie: a sentence, empty where there are none. */
  whereKept(): string;
}

/** Leaves the backup to the operator; `advice` is a sentence for the log. */
export function backupOfOperators(logger: Logger, advice: string): UpgradeBackup {
  return {
    make: async (step) => logger.warn({ step }, `An upgrade changes the tables. ${advice}`),
    discard: () => undefined,
    wayBack: () => 'To go back to the release before, restore the backup that you made.',
    whereKept: () => '',
  };
}
