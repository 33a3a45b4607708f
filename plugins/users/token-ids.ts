import { lowestIdAt, newId, timeOfId } from '../../core/index.ts';
import type { UserRow } from './models.ts';

/** The fields of an account that token ids depend on. */
export type ReadAccount = Pick<UserRow, 'id' | 'tokens_after'>;

/**
 * The `jti` of a new token: one millisecond after the tokens of the account that had ended when it was read. It depends
 * on the row and not on a clock, so that a token is valid even when clocks differ, and ends with every later change
 * that ends tokens. `iat` has the time of issue.
 */
export function tokenId(account: ReadAccount): string {
  return idAt(endedUntil(account) + 1);
}

/** The `tokens_after` that ends all tokens so far, also those being issued. Write it only if the row is unchanged. */
export function endOfTokens(account: ReadAccount): string {
  const [now, past] = [newId(), idAt(endedUntil(account) + 2)];
  return now > past ? now : past;
}

/** No token is older than its account. */
function endedUntil({ id, tokens_after }: ReadAccount): number {
  return timeOfId(tokens_after || id);
}

/** Unlike `newId(millis)`, does not move later ids of the process ahead of the clock. */
function idAt(millis: number): string {
  return lowestIdAt(millis).slice(0, 14) + newId().slice(14);
}
