import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from '../../telemetry/logger.ts';
import { newId } from '../../support/ids.ts';
import type { Transaction } from '../database.ts';
import { LocalSignals, type Signal } from '../invalidation/local-signals.ts';
import { announceChanges, countedChanges, type Message } from './changes.ts';
import { isBroken } from './failures.ts';
import type { PoolFactory } from './pool.ts';

/** What was not heard must be seen, a silent connection noticed, and what was remembered forgotten, within 2 s. */
const LOOK_EVERY_MS = 500;
const ANSWER_MS = 1_300;
const FORGET_WHILE_DEAF_MS = 2_000;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;

/**
 * Signals between all instances on one schema of one PostgreSQL database. Notifications bring them at once. They may
 * stay away, as behind a pooler that gives each transaction another connection; so every instance also looks, twice a
 * second, how many changes each topic has seen, and forgets all of a topic when it has not heard of one.
 */
export class PostgresSignals extends LocalSignals {
  readonly #factory: PoolFactory;
  readonly #channel: string;
  readonly #instance = newId();
  readonly #seen = new Map<string, number>();
  #listener: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #forgetting: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;
  #closed = false;

  /** `schema` names the installation: two in one database do not hear each other. */
  constructor(options: { factory: PoolFactory; schema: string; logger: Logger }) {
    super(options);
    this.#factory = options.factory;
    this.#channel = `vitrine_${createHash('sha256').update(options.schema).digest('hex').slice(0, 32)}`;
  }

  /** Begins to listen; throws when that fails the first time. */
  async listen(): Promise<void> {
    const client = this.#factory.client({ queryTimeoutMs: ANSWER_MS });
    client.on('notification', ({ payload }) => this.#notified(payload ?? ''));
    client.on('error', (error) => this.#deaf(client, error));
    client.on('end', () => this.#deaf(client, new Error('the connection ended')));
    try {
      await client.connect();
      await this.#askForNotifications(client);
      for (const [topic, changes] of await countedChanges(client)) this.#seen.set(topic, changes);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    this.#listener = client;
    this.#later(LOOK_EVERY_MS, () => this.#look(client));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#forgetting);
    await this.#listener?.end().catch(() => undefined);
  }

  protected override async announce(trx: Transaction, signals: readonly Signal[]): Promise<void> {
    await announceChanges(trx, { instance: this.#instance, channel: this.#channel }, signals);
  }

  /** Not every connection can listen, such as those of some poolers. */
  async #askForNotifications(client: pg.Client): Promise<void> {
    try {
      await client.query(`LISTEN ${this.#channel}`);
    } catch (error) {
      if (isBroken(error)) throw error;
      this.logger.warn(
        { err: error },
        'PostgreSQL does not notify of changes by other instances here; looking for them twice a second.',
      );
    }
  }

  #notified(payload: string): void {
    try {
      this.#hear(payload);
    } catch {
      // Whoever may use the database may send anything here. What an instance had to say is found by the next look.
    }
  }

  #hear(payload: string): void {
    const [instance, topic, keys, changes] = JSON.parse(payload) as Message;
    const seen = this.#seen.get(topic) ?? 0;
    if (changes <= seen) return;
    this.#seen.set(topic, changes);
    if (changes > seen + 1) return this.tell(topic, undefined);
    if (instance === this.#instance) return;
    for (const key of keys ?? [undefined]) this.tell(topic, key);
  }

  async #look(client: pg.Client): Promise<void> {
    try {
      for (const [topic, changes] of await countedChanges(client)) this.#see(topic, changes);
      if (this.#listener === client) this.#later(LOOK_EVERY_MS, () => this.#look(client));
    } catch (error) {
      this.#deaf(client, error);
    }
  }

  #see(topic: string, changes: number): void {
    if (changes === (this.#seen.get(topic) ?? 0)) return;
    this.#seen.set(topic, changes);
    this.tell(topic, undefined);
  }

  /** Messages may be missed from now on. */
  #deaf(client: pg.Client, error: unknown): void {
    if (this.#listener !== client || this.#closed) return;
    this.#listener = undefined;
    client.end().catch(() => undefined);
    this.logger.warn(
      { err: error },
      'Lost the connection that hears of changes; forgetting what is remembered until it is back.',
    );
    this.tellAllToForget();
    this.#forgetting ??= setInterval(() => this.tellAllToForget(), FORGET_WHILE_DEAF_MS).unref();
    this.#later(FIRST_RETRY_MS, () => this.#reconnect());
  }

  async #reconnect(): Promise<void> {
    try {
      await this.listen();
    } catch {
      this.#retryMs = Math.min(2 * this.#retryMs, LAST_RETRY_MS);
      return this.#later(this.#retryMs, () => this.#reconnect());
    }
    this.#retryMs = FIRST_RETRY_MS;
    clearInterval(this.#forgetting);
    this.#forgetting = undefined;
    this.tellAllToForget();
    this.logger.info({}, 'Hears of changes by other instances again.');
  }

  #later(ms: number, work: () => Promise<void>): void {
    if (!this.#closed) this.#timer = setTimeout(() => void work(), ms).unref();
  }
}
