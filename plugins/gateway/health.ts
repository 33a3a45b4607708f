import { healthCheck } from '../../core/index.ts';
import { LIMIT_STORE } from './limits/limit-store.ts';

/** Says when limits hold for each instance by itself, because the store they share is away. */
export const limitStoreHealth = healthCheck({
  name: 'limit-store',
  deps: { store: LIMIT_STORE },
  check: ({ store: { away } }) =>
    away.length === 0
      ? { state: 'healthy' }
      : {
          state: 'degraded',
          detail: `${away.join(' and ')} does not answer; each instance counts requests for itself.`,
        },
});
