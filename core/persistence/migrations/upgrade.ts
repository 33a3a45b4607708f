import type { UpgradeBackup } from './upgrade-backup.ts';

/** Steps on a database that holds data: it is backed up before the first of them. */
export class Upgrade {
  readonly #backup: UpgradeBackup;
  #isBackedUp = false;
  #hasChanged = false;

  constructor(backup: UpgradeBackup) {
    this.#backup = backup;
  }

  /** Before each step, while nothing else writes. */
  async begin(step: string): Promise<void> {
    if (!this.#isBackedUp) await this.#backup.make(step);
    this.#isBackedUp = true;
  }

  /** A step was applied, here or by another instance, which backed up before. */
  applied(): void {
    this.#isBackedUp = true;
    this.#hasChanged = true;
  }

  /** After a step that failed: what the operator can do. */
  failed(): string {
    if (this.#hasChanged) return this.#backup.wayBack();
    this.#backup.discard();
    return `This start changed nothing. ${this.#backup.whereKept()}`.trimEnd();
  }
}
