import { CONCURRENCY, Concurrency, type ConcurrencyDeps } from '../../../plugins/gateway/concurrency.ts';
import { made } from '../../support/other-services.ts';

/** Limits the number of calls that wait in the queue of the gateway. */
export const queueLimit = (limit: number) =>
  made(CONCURRENCY, (deps: ConcurrencyDeps) => new Concurrency({ ...deps, queueLimit: limit }));
