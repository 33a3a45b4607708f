import { CONCURRENCY, Concurrency, type ConcurrencyDeps } from '../../../plugins/gateway/concurrency.ts';
import { made } from '../../support/other-services.ts';

/** A gateway in which so many calls wait for a free slot. */
export const queueLimit = (limit: number) =>
  made(CONCURRENCY, (deps: ConcurrencyDeps) => new Concurrency({ ...deps, queueLimit: limit }));
