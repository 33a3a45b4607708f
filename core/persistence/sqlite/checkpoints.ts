import type { Logger } from '../../telemetry/logger.ts';
import type { LogSize } from './write-messages.ts';

/** Limits in pages of 4 KiB. */
export interface CheckpointLimits {
  /** Pages in one pass: as many as the disk can take without delaying commits. */
  readonly pass: number;
  /** The size of the log after which it is restarted. */
  readonly log: number;
}

/** 4 and 64 MiB: small passes leave the disk free for commits, and a long log lets many versions of a page be copied once. */
const LIMITS: CheckpointLimits = { pass: 1_024, log: 16_384 };

export interface CheckpointThreads {
  /** Copies concurrently with the writer, on a separate connection. */
  readonly beside: () => Promise<LogSize>;
  /** Syncs copied pages to the disk: SQLite does that only after it has copied all of them. */
  readonly sync: () => Promise<void>;
  /** Copies between two writes of this process, so that all pages are copied and the log can restart. */
  readonly between: () => Promise<LogSize>;
  /** Ends this process like a crash. */
  readonly crash: () => void;
}

/**
 * Copies the write-ahead log of a SQLite file into the file during writes. SQLite itself would do it within the commit
 * that fills the log, and would block all calls meanwhile.
 */
export class Checkpoints {
  readonly #threads: CheckpointThreads;
  readonly #logger: Logger;
  readonly #limits: CheckpointLimits;
  #copying: Promise<void> | undefined;
  #isStopped = false;
  /** Whether a pass began since the last call of `keepUp`. */
  #isBusy = false;
  /** Pages that the last pass could not copy; the next pass waits for more. */
  #left = 0;

  constructor(threads: CheckpointThreads, logger: Logger, limits = LIMITS) {
    this.#threads = threads;
    this.#logger = logger;
    this.#limits = limits;
  }

  /** Called after each write with the size of the log. */
  wrote({ pages, copied }: LogSize): void {
    if (this.#isStopped || this.#copying) return;
    const behind = pages - copied;
    this.#left = Math.min(this.#left, behind);
    if (behind < this.#left + this.#limits.pass) return;
    this.#left = behind;
    this.#isBusy = true;
    this.#begin(() => this.#threads.beside());
  }

  /**
   * Called every few seconds: copies what is left while there are few writes, so that the database file alone has nearly
   * everything. Copies between two writes, because the little that there is delays none, and the other thread need not run.
   */
  keepUp(): void {
    if (!this.#isStopped && !this.#copying && !this.#isBusy) this.#begin(() => this.#threads.between());
    this.#isBusy = false;
  }

  /** Starts no further pass, and waits for the current one. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#copying;
  }

  #begin(pass: () => Promise<LogSize>): void {
    this.#copying = this.#copy(pass).finally(() => (this.#copying = undefined));
  }

  async #copy(pass: () => Promise<LogSize>): Promise<void> {
    try {
      let log = await pass();
      if (!(await this.#isSynced())) return;
      if (log.pages >= this.#limits.log && !this.#isStopped) log = await this.#threads.between();
      this.#left = log.pages - log.copied;
    } catch (error) {
      this.#logger.warn({ err: error }, 'The write-ahead log could not be copied into the database file');
    }
  }

  /**
   * Pages that were not synced may be lost although SQLite counts them as copied and would restart its log. Only a crash
   * makes it copy them again, because it then reads the whole log at the next start.
   */
  async #isSynced(): Promise<boolean> {
    try {
      await this.#threads.sync();
      return true;
    } catch (error) {
      this.#isStopped = true;
      this.#logger.error(
        { err: error },
        'The database file could not be synced; this process ends, and the next one copies the write-ahead log anew',
      );
      this.#threads.crash();
      return false;
    }
  }
}
