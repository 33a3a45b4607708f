import { StartupError } from '../../errors/startup-error.ts';
import type { Logger } from '../../telemetry/logger.ts';

/** The backup failed, so no step may run. */
export class BackupFailed extends StartupError {}

/** A backup of the whole database before an upgrade of its tables, and how to return to it. */
export interface UpgradeBackup {
  /** Called before the first step, while nothing else writes: makes the backup, or asks the operator for one. Throws `BackupFailed`. */
  make(step: string): Promise<void>;
  /** Removes the oldest backups after a complete upgrade; before that, the new one may still be discarded. */
  prune(): void;
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
    prune: () => undefined,
    discard: () => undefined,
    wayBack: () => 'To go back to the release before, restore the backup that you made.',
    backupLocation: () => '',
  };
}

/** An upgrade of a database that contains data, with a backup before the first step. */
export class Upgrade {
  readonly #backup: UpgradeBackup;
  #isBackedUp = false;
  #hasChanged = false;

  constructor(backup: UpgradeBackup) {
    this.#backup = backup;
  }

  /** Called before each step, while nothing else writes. */
  async begin(step: string): Promise<void> {
    if (!this.#isBackedUp) await this.#backup.make(step);
    this.#isBackedUp = true;
  }

  /** Called after a step was applied, here or by another instance, which made its own backup. */
  applied(): void {
    this.#isBackedUp = true;
    this.#hasChanged = true;
  }

  /** Called after the last step. */
  completed(): void {
    if (this.#isBackedUp) this.#backup.prune();
  }

  /** Called after a failed step; returns what the operator can do. */
  failed(): string {
    if (this.#hasChanged) return this.#backup.wayBack();
    this.#backup.discard();
    return `This start changed nothing. ${this.#backup.backupLocation()}`.trimEnd();
  }
}
