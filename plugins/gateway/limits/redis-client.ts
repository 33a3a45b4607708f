import { createRequire } from 'node:module';
import type { Redis } from 'ioredis';

/** Loads the client only when Redis is configured, because it takes memory and most installations have none. */
export const redisClient = (): typeof Redis =>
  (createRequire(import.meta.url)('ioredis') as { Redis: typeof Redis }).Redis;
