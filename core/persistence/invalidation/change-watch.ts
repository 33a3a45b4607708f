import type { Transaction } from '../database.ts';

/** A change of one key of a topic; without a key, of any keys of the topic. */
export interface Change {
  readonly topic: string;
  readonly key: string | undefined;
}

/** Changes by other processes. */
export type SeenChanges = readonly Change[] | 'everything';

/** How an engine publishes changes to other processes. */
export interface ChangeLog {
  /** Records changes in the transaction that makes them. */
  record(trx: Transaction, changes: readonly Change[]): Promise<void>;
  /** The changes since the last call, for the first one all that are known; changes of this process may be included. */
  poll(): Promise<SeenChanges>;
}

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
