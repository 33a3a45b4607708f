import { createRequire } from 'node:module';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible';
import { token, withDeadline, type Clock, type Database, type Logger } from '../../../core/index.ts';
import type { GatewayLimits } from '../config.ts';
import { FallbackCounter } from './fallback-counter.ts';
import { counterOver, UNLIMITED } from './store-counter.ts';
import type { WindowCounter } from './window-counter.ts';

/** Loaded only where there is a Redis: most installations have none, and it takes memory from all. */
const redisClient = (): typeof Redis =>
  (createRequire(import.meta.url)('ioredis') as { Redis: typeof Redis }).Redis;

const CLEAN_EVERY_MS = 300_000;
/** How long Redis may take to be ready when the service starts. */
const CONNECT_MS = 1000;

export interface LimitStoreDeps {
  readonly database: Database;
  readonly settings: Pick<GatewayLimits, 'redis_url'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Where requests are counted: Redis when there is one, else PostgreSQL, else the memory of the only instance. */
export class LimitStore {
  readonly counter: WindowCounter;
  readonly #deps: LimitStoreDeps;
  #redis: Redis | undefined;
  #cleaning: NodeJS.Timeout | undefined;

  constructor(deps: LimitStoreDeps) {
    this.#deps = deps;
    const memory = counterOver(new RateLimiterMemory(UNLIMITED));
    const inDatabase =
      deps.database.engine === 'postgres' ? this.#guarded('PostgreSQL', this.#postgres(), memory) : memory;
    this.counter =
      deps.settings.redis_url === '' ? inDatabase : this.#guarded('Redis', this.#openRedis(), inDatabase);
  }

  /** Connects; a Redis that is away or does not answer does not stop the start, and counts once it is ready. */
  async start(): Promise<void> {
    await withDeadline(
      CONNECT_MS,
      this.#redis?.connect().catch(() => undefined),
      () => undefined,
    );
    if (this.#deps.database.engine !== 'postgres') return;
    this.#cleaning = setInterval(() => void this.#forgetOldWindows(), CLEAN_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#cleaning);
    this.#redis?.disconnect();
  }

  #guarded(name: string, first: WindowCounter, second: WindowCounter): WindowCounter {
    const { clock, logger } = this.#deps;
    return new FallbackCounter(first, second, { name, clock, logger });
  }

  #postgres(): WindowCounter {
    return counterOver(
      new RateLimiterPostgres({
        ...UNLIMITED,
        storeClient: this.#deps.database.knex,
        storeType: 'knex',
        tableName: 'gateway_windows',
        keyPrefix: '',
        tableCreated: true,
        clearExpiredByTimeout: false,
      }),
    );
  }

  #openRedis(): WindowCounter {
    const { settings, logger } = this.#deps;
    this.#redis = new (redisClient())(settings.redis_url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_MS,
      retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
    });
    // Every failed attempt to connect is told here; the fallback tells once that Redis is away.
    this.#redis.on('error', (error) => logger.debug({ err: error }, 'Redis failed.'));
    return counterOver(
      new RateLimiterRedis({
        ...UNLIMITED,
        storeClient: this.#redis,
        keyPrefix: 'vitrine:gateway',
        rejectIfRedisNotReady: true,
      }),
    );
  }

  async #forgetOldWindows(): Promise<void> {
    const { database, clock, logger } = this.#deps;
    try {
      await database
        .knex('gateway_windows')
        .where('expire', '<', clock.now() - CLEAN_EVERY_MS)
        .delete();
    } catch (error) {
      logger.debug({ err: error }, 'Windows that ended could not be deleted; the next time they are.');
    }
  }
}

export const LIMIT_STORE = token<LimitStore>('gateway:limit-store');
