import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Database, Logger } from '../../../core/index.ts';
import { LimitStore } from '../../../plugins/gateway/limits/limit-store.ts';
import { quiet } from '../../support/quiet.ts';
import { startRedisStandIn, type RedisStandIn } from '../../support/redis-stand-in.ts';
import { until } from '../../support/until.ts';

describe('limits of the gateway, when Redis goes', () => {
  let redis: RedisStandIn;
  let store: LimitStore;
  let warned: string[];
  beforeEach(async () => {
    redis = await startRedisStandIn();
    warned = [];
    const logger: Logger = { ...quiet, warn: (_, line) => void warned.push(line) };
    const settings = { redis_url: `redis://127.0.0.1:${redis.port}` };
    store = new LimitStore({ database: {} as Database, settings, logger });
    await store.start();
    await until(() => !store.isRedisAway);
  });
  afterEach(async () => {
    store.stop();
    await redis.stop();
  });

  it('warn of it', async () => {
    await redis.stop();
    await until(() => warned.length > 0);
    expect(warned[0]).to.include('Redis is away');
  });

  it('warn of nothing when the service itself stops', async () => {
    store.stop();
    await until(() => store.isRedisAway);
    for (let i = 0; i < 50; i++) await turn();
    expect(warned).to.deep.equal([]);
  });
});
