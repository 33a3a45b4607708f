import { doctorCheck, withDeadline } from '../../core/index.ts';
import { GatewaySettings } from './config.ts';
import { redisClient } from './limits/redis-client.ts';

const CONNECT_MS = 3_000;
const ANSWER_MS = 5_000;
const PING = 'redis-cli -u "$REDIS_URL" ping';

/** Whether Redis answers and accepts the password, where the limits are counted there. */
export const redisCheck = doctorCheck({
  name: 'redis',
  deps: { settings: GatewaySettings.token },
  check: async ({ settings: { redis_url: url } }) => {
    if (url === '')
      return [{ state: 'ok', message: 'REDIS_URL is not set; the limits are counted without Redis.' }];
    const server = `Redis at ${new URL(url).host} (REDIS_URL)`;
    try {
      await connectTo(url);
      return [{ state: 'ok', message: `${server} answers.` }];
    } catch (error) {
      const { message } = error as Error;
      if (/^(NOAUTH|WRONGPASS|NOPERM|ERR .*(AUTH|password))/.test(message)) {
        return [{ state: 'fault', message: `${server} refuses the credentials: ${message}`, mend: PING }];
      }
      return [
        {
          state: 'warning',
          message: `${server} cannot be used, so each instance or PostgreSQL counts the limits: ${message}`,
          mend: PING,
        },
      ];
    }
  },
});

/** Connects, signs in and disconnects. Throws the first error. */
async function connectTo(url: string): Promise<void> {
  const redis = new (redisClient())(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // The promise of `connect` says only that the connection was closed.
  const failed = new Promise<never>((_, reject) => void redis.on('error', reject));
  try {
    await withDeadline(ANSWER_MS, Promise.race([failed, redis.connect()]), () => {
      throw new Error(`It did not answer within ${ANSWER_MS / 1000} s.`);
    });
  } finally {
    redis.disconnect();
  }
}
