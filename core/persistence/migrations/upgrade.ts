import type { UpgradeBackup } from './upgrade-backup.ts';

/** Steps that change tables which hold data already: what is there is backed up before the first of them. */
export class Upgrade {
  readonly #backup: UpgradeBackup;
  readonly #ran: readonly string[];
  #hasBegun = false;

  /** `ran`: the steps that ran here before. */
  constructor(backup: UpgradeBackup, ran: readonly string[]) {
    this.#backup = backup;
    this.#ran = ran;
  }

  /** Before each step, while nobody else writes. */
  async begin(step: string): Promise<void> {
    if (!this.#hasBegun) await this.#backup.begin(step, this.#ran);
    this.#hasBegun = true;
  }

  /** Another instance applied a step of it meanwhile, and backed up before. */
  beganElsewhere(): void {
    this.#hasBegun = true;
  }

  wayBack(): string {
    return this.#backup.wayBack();
  }
}
