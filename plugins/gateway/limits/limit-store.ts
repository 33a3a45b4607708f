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
import type { GatewaySettings } from '../config.ts';
import { redisClient } from './redis-client.ts';

/** More than the possible number of policies, so that no limit in use loses its counts in memory. */
const MAX_LIMITERS = 2000;
const ENDED_MS = 300_000;
/** How long a start waits for Redis, in milliseconds. */
const CONNECT_MS = 1000;
/** How long a store may take to answer, in milliseconds; then the next one counts. */
const ANSWER_MS = 250;
const REDIS_AWAY = 'Redis is away; the next store counts the limits, or this instance alone.';

export interface LimitStoreDeps {
  readonly database: Database;
  readonly settings: Pick<GatewaySettings, 'redis_url'>;
  readonly logger: Logger;
}

/** How many requests are allowed within a window. */
export interface RateLimit {
  readonly requests: number;
  readonly windowS: number;
}

/**
 * Counts requests in Redis when it is configured, otherwise in PostgreSQL, and on SQLite in memory. When a store fails,
 * the next one counts.
 */
export class LimitStore {
  readonly #deps: LimitStoreDeps;
  readonly #limiters = new LRUCache<string, RateLimiterAbstract>({ max: MAX_LIMITERS });
  readonly #redis: Redis | undefined;
  #isStopped = false;

  constructor(deps: LimitStoreDeps) {
    this.#deps = deps;
    if (deps.settings.redis_url !== '') this.#redis = this.#openRedis(deps.settings.redis_url);
  }

  /** Whether a Redis is configured and does not answer. */
  get isRedisAway(): boolean {
    return this.#redis !== undefined && this.#redis.status !== 'ready';
  }

  /** Connects. A Redis that is away does not prevent the start, and counts once it is ready. */
  async start(): Promise<void> {
    await withDeadline(
      CONNECT_MS,
      this.#redis?.connect().catch(() => undefined),
      () => undefined,
    );
    if (this.isRedisAway) this.#deps.logger.warn({}, REDIS_AWAY);
  }

  stop(): void {
    this.#isStopped = true;
    this.#redis?.disconnect();
  }

  /** The limiter for a limit. Different limits have separate windows. */
  limiterOf({ requests, windowS }: RateLimit): RateLimiterAbstract {
    const name = `${requests}:${windowS}`;
    const found = this.#limiters.get(name);
    if (found) return found;
    const limiter = this.#makeLimiter({ requests, windowS });
    this.#limiters.set(name, limiter);
    return limiter;
  }

  #makeLimiter({ requests: points, windowS: duration }: RateLimit): RateLimiterAbstract {
    const { engine, knex } = this.#deps.database;
    const memory = new RateLimiterMemory({ points, duration });
    const limit = { points, duration, inMemoryBlockOnConsumed: points };
    const local = engine === 'postgres' ? overPostgres(knex, limit, memory) : memory;
    if (!this.#redis) return local;
    return new RateLimiterRedis({
      ...limit,
      insuranceLimiter: local,
      storeClient: this.#redis,
      keyPrefix: 'vitrine:gateway',
      rejectIfRedisNotReady: true,
    });
  }

  /** Opens the client. It drops the connection of a Redis that hangs, and uses Redis again after it reconnects. */
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
    redis.on('ready', () => {
      logger.info({}, 'Redis counts the limits.');
      redis.once('close', () => {
        if (!this.#isStopped) logger.warn({}, REDIS_AWAY);
      });
    });
    return redis;
  }
}

function overPostgres(
  storeClient: Database['knex'],
  limit: { readonly points: number; readonly duration: number; readonly inMemoryBlockOnConsumed: number },
  insuranceLimiter: RateLimiterAbstract,
): RateLimiterAbstract {
  const limiter = new RateLimiterPostgres({
    ...limit,
    insuranceLimiter,
    storeClient,
    storeType: 'knex',
    tableName: 'gateway_windows',
    keyPrefix: '',
    tableCreated: true,
    clearExpiredByTimeout: false,
  });
  return new RLWrapperTimeouts({ limiter, timeoutMs: ANSWER_MS });
}

/** Deletes windows that ended some minutes ago, which allows for differences between clocks. */
export async function deleteEndedWindows({ engine, knex }: Database, now: number): Promise<void> {
  if (engine !== 'postgres') return;
  await knex('gateway_windows')
    .where('expire', '<', now - ENDED_MS)
    .delete();
}

export const LIMIT_STORE = token<LimitStore>('gateway:limit-store');
