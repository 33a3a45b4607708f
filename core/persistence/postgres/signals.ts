import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from '../../telemetry/logger.ts';
import { newId } from '../../runtime/ids.ts';
import type { Transaction } from '../database.ts';
import { LocalSignals, type Signal } from '../local-signals.ts';
import type { PoolFactory } from './pool.ts';

/** A silent connection must be noticed, and what was remembered forgotten, within 2 s. */
const HEARTBEAT_MS = 500;
const ANSWER_MS = 1_300;
const FORGET_WHILE_DEAF_MS = 2_000;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;

type Message = readonly [instance: string, topic: string, key: string];

/** Signals between all instances on one schema of one PostgreSQL database. */
export class PostgresSignals extends LocalSignals {
  readonly #factory: PoolFactory;
  readonly #channel: string;
  readonly #logger: Logger;
  readonly #instance = newId();
  #listener: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #forgetting: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;
  #closed = false;

  /** `schema` names the installation: two in one database do not hear each other. */
  constructor(options: { factory: PoolFactory; schema: string; logger: Logger }) {
    super();
    this.#factory = options.factory;
    this.#logger = options.logger;
    this.#channel = `vitrine_${createHash('sha256').update(options.schema).digest('hex').slice(0, 32)}`;
  }

  /** Begins to listen; throws when that fails the first time. */
  async listen(): Promise<void> {
    const client = this.#factory.client({ queryTimeoutMs: ANSWER_MS });
    client.on('notification', ({ payload }) => this.#hear(payload ?? ''));
    client.on('error', (error) => this.#deaf(client, error));
    client.on('end', () => this.#deaf(client, new Error('the connection ended')));
    await client.connect();
    this.#listener = client;
    await client.query(`LISTEN ${this.#channel}`);
    this.#later(HEARTBEAT_MS, () => this.#beat(client));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#forgetting);
    await this.#listener?.end().catch(() => undefined);
  }

  /** PostgreSQL delivers notifications when the transaction commits, and only then. */
  protected override async announce(trx: Transaction, signals: readonly Signal[]): Promise<void> {
    const messages = signals.map(({ topic, key }): string =>
      JSON.stringify([this.#instance, topic, key] satisfies Message),
    );
    await trx.raw('SELECT pg_notify(?, message) FROM json_array_elements_text(?::json) AS message', [
      this.#channel,
      JSON.stringify(messages),
    ]);
  }

  #hear(payload: string): void {
    const [instance, topic, key] = JSON.parse(payload) as Message;
    if (instance !== this.#instance) this.tell(topic, key);
  }

  async #beat(client: pg.Client): Promise<void> {
    try {
      await client.query('SELECT 1');
      if (this.#listener === client) this.#later(HEARTBEAT_MS, () => this.#beat(client));
    } catch (error) {
      this.#deaf(client, error);
    }
  }

  /** Messages may be missed from now on. */
  #deaf(client: pg.Client, error: unknown): void {
    if (this.#listener !== client || this.#closed) return;
    this.#listener = undefined;
    client.end().catch(() => undefined);
    this.#logger.warn(
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
      this.#listener = undefined;
      this.#retryMs = Math.min(2 * this.#retryMs, LAST_RETRY_MS);
      return this.#later(this.#retryMs, () => this.#reconnect());
    }
    this.#retryMs = FIRST_RETRY_MS;
    clearInterval(this.#forgetting);
    this.#forgetting = undefined;
    this.tellAllToForget();
    this.#logger.info({}, 'Hears of changes by other instances again.');
  }

  #later(ms: number, work: () => Promise<void>): void {
    if (!this.#closed) this.#timer = setTimeout(() => void work(), ms).unref();
  }
}
