import { callbackify, promisify } from 'node:util';
import { Bulkhead } from '../../support/bulkhead.ts';
import type { Lookup } from './connector.ts';

const MOST_QUEUED_NAMES = 16;
const LONGEST_WAIT_MS = 10_000;

/**
 * Makes a resolver for names that any user may choose, which asks `system` for one name at a time: for as long as a name
 * server does not answer, the system blocks a thread of libuv's small pool, which files and the names of endpoints share.
 */
export function contentLookup(system: Lookup): Lookup {
  const resolve = promisify(system);
  const oneAtATime = new Bulkhead({
    limit: 1,
    queueLimit: MOST_QUEUED_NAMES,
    waitMs: LONGEST_WAIT_MS,
    refuse: () => new Error('Too many names wait for the resolver of the system.'),
  });
  return callbackify((name: string, options: { readonly all: true }) =>
    oneAtATime.run(() => resolve(name, options)),
  );
}
