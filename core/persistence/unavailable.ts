import { StoreUnavailable } from '../errors/core-problems.ts';
import type { Problem } from '../errors/problem.ts';

const RETRY_AFTER_SECONDS = '2';

/** The database does not answer or is too slow. The cause is for the log; the sentence names no host and no file. */
export function unavailable(cause?: unknown): Problem {
  return storeUnavailable('The database does not answer. Try again in a moment.', cause);
}

/** The disk of the database is full. */
export function withoutRoom(cause: unknown): Problem {
  return storeUnavailable(
    'The disk of the database is full. Try again when its operator has made room.',
    cause,
  );
}

/** The database is damaged. */
export function damaged(cause: unknown): Problem {
  return storeUnavailable('The database is damaged. Its operator must restore a backup.', cause);
}

function storeUnavailable(detail: string, cause: unknown): Problem {
  return StoreUnavailable(detail, { headers: { 'Retry-After': RETRY_AFTER_SECONDS }, cause });
}
