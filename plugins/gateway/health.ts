import { healthCheck } from '../../core/index.ts';
import { LIMIT_STORE } from './limits/limit-store.ts';

/** Says when a store of limits is away, and limits hold as far as the next one is shared. */
export const limitStoreHealth = healthCheck({
  name: 'limit-store',
  deps: { store: LIMIT_STORE },
  check: ({ store }) => {
    const { away } = store.counter;
    if (away.length === 0) return { state: 'healthy' };
    const names = away.join(' and ');
    return {
      state: 'degraded',
      detail: `${names} does not answer; the next store counts, or each instance alone.`,
    };
  },
});
