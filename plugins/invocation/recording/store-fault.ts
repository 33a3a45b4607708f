import { StoreUnavailable, UnfitDatabase, type Problem } from '../../../core/index.ts';

const NO_ANSWER = 'The database does not answer.';
const UNFIT = 'The database lacks a table, a column or a right that records need; the log says which.';

/** Whether the database and not the data caused the error: it does not answer, or it lacks a table or a right. */
export function isAway(error: unknown): boolean {
  return StoreUnavailable.is(error) || isUnfit(error);
}

/** Whether an operator must repair the database before it takes records. */
export function isUnfit(error: unknown): boolean {
  return error instanceof UnfitDatabase;
}

/** Why the database takes no records, in a sentence without host or file names. */
export function reasonOf(error: unknown): string {
  if (isUnfit(error)) return UNFIT;
  return StoreUnavailable.is(error) ? error.message : NO_ANSWER;
}

/** The error of a database that did not answer within the limit. */
export function storeSilent(): Problem {
  return StoreUnavailable('The database did not answer in time.');
}

/** The refusal of a call before its endpoint is called. */
export function storeAway(cause?: unknown): Problem {
  return StoreUnavailable(
    'The database takes no records now, so the endpoint was not asked. Try again in a moment.',
    { headers: { 'Retry-After': '2' }, cause },
  );
}

/** The answer to a call whose endpoint was called and whose record the database can never store. */
export function recordRefused(cause: unknown): Problem {
  return StoreUnavailable(
    'The endpoint was asked, but the database refuses the record of this call. Tell the operator the request id.',
    { cause },
  );
}

/** The answer to a call whose endpoint was called and whose record is not stored yet. */
export function recordPending(cause?: unknown): Problem {
  return StoreUnavailable(
    'The endpoint was asked, but the record of the call is not stored yet. Look for the call before repeating it.',
    { headers: { 'Retry-After': '5' }, cause },
  );
}
