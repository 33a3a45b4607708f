import type { Knex } from 'knex';
import type { Logger } from '../../telemetry/logger.ts';
import type { Transaction } from '../database.ts';
import type { Signals } from './signals.ts';

type Forget = (key: string | undefined) => void;

/** One publication. */
export interface Signal {
  readonly topic: string;
  readonly key: string;
}

/** Signals within this process. */
export class LocalSignals implements Signals {
  protected readonly logger: Logger;
  readonly #subscribers = new Map<string, Forget[]>();
  readonly #published = new WeakMap<Transaction, Signal[]>();

  constructor({ logger }: { logger: Logger }) {
    this.logger = logger;
  }

  publish(trx: Transaction, topic: string, key: string): void {
    const published = this.#published.get(trx);
    if (!published) throw new Error(`"${topic}" is not published in the transaction that makes the change.`);
    published.push({ topic, key });
  }

  subscribe(topic: string, forget: Forget): void {
    const subscribers = this.#subscribers.get(topic);
    if (subscribers) subscribers.push(forget);
    else this.#subscribers.set(topic, [forget]);
  }

  /** Runs work in a transaction of its own. What it publishes goes to other instances with it, and here after it. */
  async transaction<T>(knex: Knex, work: (trx: Transaction) => Promise<T>): Promise<T> {
    let published: readonly Signal[] = [];
    try {
      return await knex.transaction(async (trx) => {
        const { result, signals } = await this.#worked(trx, work);
        if (signals.length > 0) await this.announce(trx, signals);
        published = signals;
        return result;
      });
    } finally {
      // Also when the commit failed: it may have happened, and its answer been lost.
      for (const { topic, key } of published) this.tell(topic, key);
    }
  }

  /** A subscriber that fails is logged, and hurts nobody: neither the change, which is made, nor other subscribers. */
  tell(topic: string, key: string | undefined): void {
    for (const forget of this.#subscribers.get(topic) ?? []) {
      try {
        forget(key);
      } catch (error) {
        this.logger.error({ err: error, topic }, 'A subscriber failed to forget what has changed.');
      }
    }
  }

  /** Messages may have been missed: everybody forgets everything. */
  tellAllToForget(): void {
    for (const topic of this.#subscribers.keys()) this.tell(topic, undefined);
  }

  /** Hands signals to the other instances, within the transaction; there are none here. */
  protected async announce(_trx: Transaction, _signals: readonly Signal[]): Promise<void> {}

  async #worked<T>(trx: Transaction, work: (trx: Transaction) => Promise<T>) {
    const signals: Signal[] = [];
    this.#published.set(trx, signals);
    try {
      return { result: await work(trx), signals };
    } finally {
      this.#published.delete(trx);
    }
  }
}
