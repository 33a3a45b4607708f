import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from '../../telemetry/logger.ts';
import { newId } from '../../runtime/ids.ts';
import { LocalSignals } from '../local-signals.ts';
import type { PoolFactory } from './pool.ts';

/** A silent connection must be noticed, and what was remembered forgotten, within 2 s. */
const HEARTBEAT_MS = 500;
const ANSWER_MS = 1_300;
const FORGET_WHILE_DEAF_MS = 2_000;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;

/** More than these are told as "anything may have changed", one per topic. */
const MOST_UNSENT = 1_000;

/** `null` for the key: everything of the topic. */
type Message = readonly [instance: string, topic: string, key: string | null];

/** Signals between all instances on one schema of one PostgreSQL database. */
export class PostgresSignals extends LocalSignals {
  readonly #factory: PoolFactory;
  readonly #pool: pg.Pool;
  readonly #channel: string;
  readonly #logger: Logger;
  readonly #instance = newId();
  #unsent: Message[] = [];
  #listener: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #forgetting: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;
  #closed = false;

  /** `schema` names the installation: two in one database do not hear each other. */
  constructor(options: { factory: PoolFactory; pool: pg.Pool; schema: string; logger: Logger }) {
    super();
    this.#factory = options.factory;
    this.#pool = options.pool;
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

  /** Never throws: what cannot be sent now is sent when the database is back. */
  override async publish(topic: string, key: string): Promise<void> {
    this.tell(topic, key);
    this.#unsent.push([this.#instance, topic, key]);
    await this.#send().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#forgetting);
    await this.#listener?.end().catch(() => undefined);
  }

  async #send(): Promise<void> {
    const messages = this.#unsent;
    if (messages.length === 0) return;
    this.#unsent = [];
    try {
      await this.#pool.query('SELECT pg_notify($1, message) FROM unnest($2::text[]) AS message', [
        this.#channel,
        messages.map((message) => JSON.stringify(message)),
      ]);
    } catch (error) {
      this.#unsent = shortened([...messages, ...this.#unsent]);
      throw error;
    }
  }

  #hear(payload: string): void {
    const [instance, topic, key] = JSON.parse(payload) as Message;
    if (instance !== this.#instance) this.tell(topic, key ?? undefined);
  }

  async #beat(client: pg.Client): Promise<void> {
    try {
      await client.query('SELECT 1');
      await this.#send();
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

function shortened(messages: Message[]): Message[] {
  if (messages.length <= MOST_UNSENT) return messages;
  const topics = new Map(messages.map(([instance, topic]) => [topic, instance]));
  return [...topics].map(([topic, instance]) => [instance, topic, null]);
}
