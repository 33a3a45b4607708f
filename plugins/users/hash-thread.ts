import type { Options } from '@node-rs/argon2';
import { WorkerCalls, WorkerLost, type Logger } from '../../core/index.ts';
import type { HashOrder } from './hash-orders.ts';

/** It holds some 7 MiB, and few log in all the time. */
const IDLE_MS = 10_000;

/** Hashes passwords, one after the other, in a thread that gives way to calls: they would wait milliseconds for each hash. */
export class HashThread {
  readonly #thread: WorkerCalls<HashOrder, string | boolean>;

  constructor(logger: Logger) {
    this.#thread = new WorkerCalls({
      module: './hash-worker',
      callerUrl: import.meta.url,
      priority: 'low',
      idleMs: IDLE_MS,
      lost: (error) =>
        logger.error(
          { err: error },
          'The thread that hashes passwords is gone; the next one starts another.',
        ),
    });
  }

  async hash(password: string, cost: Options): Promise<string> {
    return (await this.#ask({ kind: 'hash', password, cost })) as string;
  }

  async verify(hash: string, password: string): Promise<boolean> {
    return (await this.#ask({ kind: 'verify', hash, password })) as boolean;
  }

  /** Ends the thread as a crash would; for tests. */
  kill(): void {
    this.#thread.kill();
  }

  /** Once more when the thread dies meanwhile, for a hash changes nothing. */
  async #ask(order: HashOrder): Promise<string | boolean> {
    try {
      return await this.#thread.ask(order);
    } catch (error) {
      if (!(error instanceof WorkerLost)) throw error;
      return this.#thread.ask(order);
    }
  }
}
