import type { ChangeLog, SeenChanges } from './change.ts';

const POLL_INTERVAL_MS = 500;
/** A poll that takes longer counts as failed, because changes must be known within 2 s. */
const INTERVALS_PER_POLL = 2;

/** Polls twice a second for changes by other processes. When a poll fails, it reports that everything may have changed. */
export class ChangeWatch {
  readonly #log: Pick<ChangeLog, 'poll'>;
  readonly #notify: (changes: SeenChanges) => void;
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;
  #intervals = 0;

  constructor(log: Pick<ChangeLog, 'poll'>, notify: (changes: SeenChanges) => void) {
    this.#log = log;
    this.#notify = notify;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#tick(), POLL_INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    if (!this.#isPolling) void this.#poll();
    else if ((this.#intervals += 1) >= INTERVALS_PER_POLL) this.#notify('everything');
  }

  async #poll(): Promise<void> {
    this.#isPolling = true;
    this.#intervals = 0;
    try {
      this.#notify(await this.#log.poll());
    } catch {
      this.#notify('everything');
    } finally {
      this.#isPolling = false;
    }
  }
}
