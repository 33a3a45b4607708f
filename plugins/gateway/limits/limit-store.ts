import { createRequire } from 'node:module';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RLWrapperTimeouts,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { token, withDeadline, type Database, type Logger } from '../../../core/index.ts';
import type { GatewayLimits } from '../config.ts';

/** Loads the client only where there is a Redis: most installations have none, and it takes memory. */
const redisClient = (): typeof Redis =>
  (createRequire(import.meta.url)('ioredis') as { Redis: typeof Redis }).Redis;

/** More than there can be policies, so that no limit in use loses what was counted in memory. */
const MAX_LIMITERS = 2000;
const ENDED_MS = 300_000;
/** How long Redis may take to be ready when the service starts. */
const CONNECT_MS = 1000;
/** How long a store may take to answer before the next one counts. */
const ANSWER_MS = 250;

export interface LimitStoreDeps {
  readonly database: Database;
  readonly settings: Pick<GatewayLimits, 'redis_url'>;
  readonly logger: Logger;
}

/** How many requests may pass within a window. */
export interface RateLimit {
  readonly requests: number;
  readonly windowS: number;
}

/**
 * Where requests are counted: in Redis when there is one, else in PostgreSQL, else in the memory of the only instance.
 * Each store is insured by the next one.
 */
export class LimitStore {
  readonly #deps: LimitStoreDeps;
  readonly #limiters = new LRUCache<string, RateLimiterAbstract>({ max: MAX_LIMITERS });
  readonly #redis: Redis | undefined;
  #isRedisReady = true;

  constructor(deps: LimitStoreDeps) {
    this.#deps = deps;
    if (deps.settings.redis_url !== '') this.#redis = this.#openRedis(deps.settings.redis_url);
  }

  /** Whether a Redis is configured and does not answer. */
  get isRedisAway(): boolean {
    return this.#redis !== undefined && this.#redis.status !== 'ready';
  }

  /** Connects; a Redis that is away or does not answer does not stop the start, and counts once it is ready. */
  async start(): Promise<void> {
    await withDeadline(
      CONNECT_MS,
      this.#redis?.connect().catch(() => undefined),
      () => undefined,
    );
  }

  stop(): void {
    this.#redis?.disconnect();
  }

  /** The limiter that counts by this limit; windows of different limits are counted apart. */
  limiterOf({ requests, windowS }: RateLimit): RateLimiterAbstract {
    const name = `${requests}:${windowS}`;
    const found = this.#limiters.get(name);
    if (found) return found;
    const limiter = this.#makeLimiter({ points: requests, duration: windowS });
    this.#limiters.set(name, limiter);
    return limiter;
  }

  #makeLimiter(limit: { readonly points: number; readonly duration: number }): RateLimiterAbstract {
    const { engine } = this.#deps.database;
    const memory = new RateLimiterMemory(limit);
    const local = engine === 'postgres' ? this.#overPostgres(limit, memory) : memory;
    return this.#redis ? this.#overRedis(this.#redis, limit, local) : local;
  }

  #overPostgres(
    limit: { readonly points: number; readonly duration: number },
    insuranceLimiter: RateLimiterAbstract,
  ): RateLimiterAbstract {
    const limiter = new RateLimiterPostgres({
      ...limit,
      insuranceLimiter,
      inMemoryBlockOnConsumed: limit.points,
      storeClient: this.#deps.database.knex,
      storeType: 'knex',
      tableName: 'gateway_windows',
      keyPrefix: '',
      tableCreated: true,
      clearExpiredByTimeout: false,
    });
    return new RLWrapperTimeouts({ limiter, timeoutMs: ANSWER_MS });
  }

  #overRedis(
    storeClient: Redis,
    limit: { readonly points: number; readonly duration: number },
    insuranceLimiter: RateLimiterAbstract,
  ): RateLimiterAbstract {
    return new RateLimiterRedis({
      ...limit,
      insuranceLimiter,
      inMemoryBlockOnConsumed: limit.points,
      storeClient,
      keyPrefix: 'vitrine:gateway',
      rejectIfRedisNotReady: true,
    });
  }

  /** A Redis that hangs loses its connection, and is asked again once a new one is ready. */
  #openRedis(url: string): Redis {
    const { logger } = this.#deps;
    const redis = new (redisClient())(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_MS,
      socketTimeout: ANSWER_MS,
      retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
    });
    redis.on('error', (error) => logger.debug({ err: error }, 'Redis failed.'));
    redis.on('close', () => this.#noteRedis(false));
    redis.on('ready', () => this.#noteRedis(true));
    return redis;
  }

  #noteRedis(isReady: boolean): void {
    if (isReady === this.#isRedisReady) return;
    this.#isRedisReady = isReady;
    const { logger } = this.#deps;
    if (isReady) logger.info({}, 'Redis is back and counts the limits again.');
    else logger.warn({}, 'Redis is away; the next store counts the limits, or this instance alone.');
  }
}

/** Deletes windows that ended some minutes ago, so that the clocks of instances need not agree. */
export async function deleteEndedWindows({ engine, knex }: Database, now: number): Promise<void> {
  if (engine !== 'postgres') return;
  await knex('gateway_windows')
    .where('expire', '<', now - ENDED_MS)
    .delete();
}

export const LIMIT_STORE = token<LimitStore>('gateway:limit-store');
