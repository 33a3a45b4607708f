import type { Logger } from '../../telemetry/logger.ts';
import type { LogSize } from './write-messages.ts';

/** In pages of 4 KiB. */
export interface CheckpointLimits {
  /** How many are copied at a time: what the disk takes beside the commits without delaying them. */
  readonly pass: number;
  /** Past this the log begins again. */
  readonly log: number;
}

/** 4 and 64 MiB: small passes leave the disk free for commits, and a long log lets pages be copied together. */
const LIMITS: CheckpointLimits = { pass: 1_024, log: 16_384 };

export interface CheckpointThreads {
  /** Copies while the writer writes on, on a connection of its own. */
  readonly beside: () => Promise<LogSize>;
  /** Brings what was copied to the disk: SQLite does that only once it has copied all. */
  readonly sync: () => Promise<void>;
  /** Copies between two writes of this process, so that nothing is left and the log can begin again. */
  readonly between: () => Promise<LogSize>;
  /** Ends this process as a crash would. */
  readonly crash: () => void;
}

/**
 * Copies the write-ahead log of a SQLite file into the file while others write. SQLite itself does it within the commit
 * that fills the log, and all calls wait meanwhile.
 */
export class Checkpoints {
  readonly #threads: CheckpointThreads;
  readonly #logger: Logger;
  readonly #limits: CheckpointLimits;
  #copying: Promise<void> | undefined;
  #isStopped = false;
  /** What the last pass could not copy; the next one waits until there is more. */
  #left = 0;

  constructor(threads: CheckpointThreads, logger: Logger, limits = LIMITS) {
    this.#threads = threads;
    this.#logger = logger;
    this.#limits = limits;
  }

  /** To be told after each write how the log stands. */
  wrote({ pages, copied }: LogSize): void {
    if (this.#isStopped || this.#copying) return;
    const behind = pages - copied;
    this.#left = Math.min(this.#left, behind);
    if (behind < this.#left + this.#limits.pass) return;
    this.#left = behind;
    this.#copying = this.#copy().finally(() => (this.#copying = undefined));
  }

  /** Begins no more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#copying;
  }

  async #copy(): Promise<void> {
    try {
      let log = await this.#threads.beside();
      if (!(await this.#isSynced())) return;
      if (log.pages >= this.#limits.log && !this.#isStopped) log = await this.#threads.between();
      this.#left = log.pages - log.copied;
    } catch (error) {
      this.#logger.warn({ err: error }, 'The write-ahead log could not be copied into the database file');
    }
  }

  /**
   * Pages that were not synced may be lost though SQLite counts them as copied, and would begin its log again. Only a
   * crash makes it copy them anew: it then reads the whole log at the next start.
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
