import { StoreUnavailable } from '../errors/problems.ts';
import type { Problem } from '../errors/problem.ts';

const RETRY_AFTER_SECONDS = '2';

/** The database is away, full or too slow. The cause is for the log; the sentence names no host and no file. */
export function unavailable(cause?: unknown): Problem {
  return StoreUnavailable('The database does not answer. Try again in a moment.', {
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
    cause,
  });
}
