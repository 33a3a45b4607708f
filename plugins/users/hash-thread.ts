import type { Options } from '@node-rs/argon2';
import { withDeadline, WorkerCalls, WorkerLost, type Logger, type ThreadPriority } from '../../core/index.ts';
import type { HashOrder } from './hash-orders.ts';

type HashCalls = WorkerCalls<HashOrder, string | boolean>;

/** It holds some 7 MiB, and few log in all the time. */
const IDLE_MS = 10_000;
/** Starting the thread takes a third of this on a slow machine, and a hash a tenth. */
const PATIENCE_MS = 250;

/**
 * Hashes passwords, one after the other, in a thread that leaves the core to calls: they would wait milliseconds for each
 * hash. While they leave it none, one that gets a tenth of a core makes the hashes.
 */
export class HashThread {
  readonly #idle: HashCalls;
  readonly #low: HashCalls;
  #isIdleBehind = false;

  constructor(logger: Logger) {
    const calls = (priority: ThreadPriority): HashCalls =>
      new WorkerCalls({
        module: './hash-worker',
        callerUrl: import.meta.url,
        priority,
        idleMs: IDLE_MS,
        lost: (error) =>
          logger.error(
            { err: error },
            'The thread that hashes passwords is gone; the next one starts another.',
          ),
      });
    this.#idle = calls('idle');
    this.#low = calls('low');
  }

  async hash(password: string, cost: Options): Promise<string> {
    return (await this.#ask({ kind: 'hash', password, cost })) as string;
  }

  async verify(hash: string, password: string): Promise<boolean> {
    return (await this.#ask({ kind: 'verify', hash, password })) as boolean;
  }

  /** Ends the thread as a crash would; for tests. */
  kill(): void {
    this.#idle.kill();
    this.#low.kill();
  }

  /** Once more when the thread dies meanwhile, for a hash changes nothing. */
  async #ask(order: HashOrder): Promise<string | boolean> {
    try {
      return await this.#firstOf(order);
    } catch (error) {
      if (!(error instanceof WorkerLost)) throw error;
      return this.#firstOf(order);
    }
  }

  async #firstOf(order: HashOrder): Promise<string | boolean> {
    if (this.#isIdleBehind) return this.#low.ask(order);
    this.#isIdleBehind = true;
    const catchUp = (): void => void (this.#isIdleBehind = false);
    const answer = this.#idle.ask(order);
    answer.then(catchUp, catchUp);
    await withDeadline<unknown>(PATIENCE_MS, answer, () => undefined);
    return this.#isIdleBehind ? Promise.race([answer, this.#low.ask(order)]) : answer;
  }
}
