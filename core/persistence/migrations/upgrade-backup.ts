import { StartupError } from '../../errors/startup-error.ts';
import type { Logger } from '../../telemetry/logger.ts';

/** The backup failed, so no step may run. */
export class BackupFailed extends StartupError {}

/** A backup of the whole database before an upgrade of its tables, and how to return to it. */
export interface UpgradeBackup {
  /** Called before the first step, while nothing else writes: makes the backup, or asks the operator for one. Throws `BackupFailed`. */
  make(step: string): Promise<void>;
  /** Removes the backup after an upgrade that changed nothing. */
  discard(): void;
  /** How to go back from the current upgrade: sentences for the operator. */
  wayBack(): string;
  /** Where earlier backups are: a sentence, or empty without backups. */
  backupLocation(): string;
}

/** Leaves the backup to the operator; `advice` is a sentence for the log. */
export function backupOfOperators(logger: Logger, advice: string): UpgradeBackup {
  return {
    make: async (step) => logger.warn({ step }, `An upgrade changes the tables. ${advice}`),
    discard: () => undefined,
    wayBack: () => 'To go back to the release before, restore the backup that you made.',
    backupLocation: () => '',
  };
}
