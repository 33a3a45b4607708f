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
    const fault = await faultOf(url);
    if (fault === undefined) return [{ state: 'ok', message: `${server} answers.` }];
    if (/^(NOAUTH|WRONGPASS|NOPERM|ERR .*(AUTH|password))/.test(fault)) {
      return [{ state: 'fault', message: `${server} refuses the credentials: ${fault}`, mend: PING }];
    }
    const message = `${server} cannot be used, so each instance or PostgreSQL counts the limits: ${fault}`;
    return [{ state: 'warning', message, mend: PING }];
  },
});

/** Connects, signs in and disconnects. Returns the message of the first error. */
async function faultOf(url: string): Promise<string | undefined> {
  const redis = new (redisClient())(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // The promise of `connect` says only that the connection was closed.
  const failed = new Promise<string>((resolve) => redis.on('error', ({ message }) => resolve(message)));
  const connected = redis.connect().then(
    () => undefined,
    () => failed,
  );
  const late = () => `It did not answer within ${ANSWER_MS / 1000} s.`;
  const fault = await withDeadline<string | undefined>(ANSWER_MS, Promise.race([failed, connected]), late);
  redis.disconnect();
  return fault;
}
