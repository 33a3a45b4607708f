import { healthCheck } from '../../core/index.ts';
import { PROVIDERS } from './provider/provider-list.ts';

/** Degraded where a provider could not be used when it was last needed; other ways to sign in are not affected. */
export const providersHealth = healthCheck({
  name: 'providers',
  deps: { providers: PROVIDERS },
  check: ({ providers }) => {
    const faults = providers.all.flatMap(({ fault }) => fault ?? []);
    return faults.length === 0 ? { state: 'healthy' } : { state: 'degraded', detail: faults.join(' ') };
  },
});
