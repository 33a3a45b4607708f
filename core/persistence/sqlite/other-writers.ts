/** What another process changed must be seen, and what was remembered forgotten, within 2 s. */
const LOOK_EVERY_MS = 500;

export interface OtherWritersOptions {
  /** Whether anybody else has written since the last look. */
  readonly look: () => Promise<boolean>;
  readonly forget: () => void;
}

/**
 * Notices that another process has written into the file, such as a `vitrine` command while the service runs. It cannot
 * be told what was written, so everything is forgotten; that costs little, and changes through this process's own other
 * connection, which look the same, are few.
 */
export class OtherWriters {
  readonly #options: OtherWritersOptions;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(options: OtherWritersOptions) {
    this.#options = options;
  }

  watch(): void {
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const { look, forget } = this.#options;
    // A look that is not answered in time, or fails, has seen nothing.
    if (this.#isLooking) return forget();
    this.#isLooking = true;
    try {
      if (await look()) forget();
    } catch {
      forget();
    } finally {
      this.#isLooking = false;
    }
  }
}
