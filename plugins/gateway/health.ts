import { healthCheck } from '../../core/index.ts';
import { LIMIT_STORE } from './limits/limit-store.ts';

/** Degraded while Redis is away, since PostgreSQL or each instance then counts the limits. */
export const limitStoreHealth = healthCheck({
  name: 'limit-store',
  deps: { store: LIMIT_STORE },
  check: ({ store }) =>
    store.isRedisAway
      ? {
          state: 'degraded',
          detail: 'Redis does not answer; the next store counts, or each instance alone.',
        }
      : { state: 'healthy' },
});
