import type { ChangeLog, SeenChanges } from './change.ts';

const LOOK_EVERY_MS = 500;
/** A look that takes longer has seen nothing: a change must be known within 2 s. */
const INTERVALS_FOR_A_LOOK = 2;

/** Looks twice a second what other processes changed. Where that cannot be seen, everything may have changed. */
export class ChangeWatch {
  readonly #log: Pick<ChangeLog, 'look'>;
  readonly #tell: (changes: SeenChanges) => void;
  readonly #timer: NodeJS.Timeout;
  #isLooking = false;
  #intervals = 0;

  /** Begins to look. */
  constructor(log: Pick<ChangeLog, 'look'>, tell: (changes: SeenChanges) => void) {
    this.#log = log;
    this.#tell = tell;
    this.#timer = setInterval(() => this.#tick(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    if (!this.#isLooking) void this.#look();
    else if ((this.#intervals += 1) >= INTERVALS_FOR_A_LOOK) this.#tell('everything');
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    this.#intervals = 0;
    try {
      this.#tell(await this.#log.look());
    } catch {
      this.#tell('everything');
    } finally {
      this.#isLooking = false;
    }
  }
}
