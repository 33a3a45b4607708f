import { healthCheck } from '../../core/index.ts';
import { PROVIDERS } from './provider/providers.ts';

/** Degraded while a provider could not be used when somebody needed it; those who sign in otherwise are not affected. */
export const providersHealth = healthCheck({
  name: 'providers',
  deps: { providers: PROVIDERS },
  check: ({ providers }) => {
    const faults = providers.all.flatMap(({ fault }) => fault ?? []);
    return faults.length === 0 ? { state: 'healthy' } : { state: 'degraded', detail: faults.join(' ') };
  },
});
