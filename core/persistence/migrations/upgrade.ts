import type { UpgradeBackup } from './upgrade-backup.ts';

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

  /** Called after a failed step; returns what the operator can do. */
  failed(): string {
    if (this.#hasChanged) return this.#backup.wayBack();
    this.#backup.discard();
    return `This start changed nothing. ${this.#backup.backupLocation()}`.trimEnd();
  }
}
