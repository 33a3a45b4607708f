import { StartupError } from '../../errors/startup-error.ts';
import type { Logger } from '../../telemetry/logger.ts';

/** No copy could be made, so that no step may run. */
export class BackupFailed extends StartupError {}

/** How an upgrade of the tables is undone: by a copy of the whole database from before it. */
export interface UpgradeBackup {
  /**
   * Before the first step of an upgrade, while nobody else writes: makes the copy, or says who has to make one. An upgrade
   * that failed and is tried again goes on with the copy from before its first try, which `ran`, the steps that ran here,
   * tell. Throws `BackupFailed`.
   */
  begin(step: string, ran: readonly string[]): Promise<void>;
  /** After the last step. */
  end(): void;
  /** How to go back from the upgrade that is under way: sentences for the operator. */
  wayBack(): string;
  /** Where copies from before upgrades lie: a sentence, empty where there are none. */
  whereKept(): string;
}

/** Leaves the copy to the operator, and says so. */
export function backupOfOperators(logger: Logger, says: string): UpgradeBackup {
  return {
    begin: async (step) => logger.warn({ step }, `An upgrade changes the tables. ${says}`),
    end: () => undefined,
    wayBack: () => 'To go back to the release before, restore the backup that you made.',
    whereKept: () => '',
  };
}
