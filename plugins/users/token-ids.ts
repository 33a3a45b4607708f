import { lowestIdAt, newId, timeOfId } from '../../core/index.ts';
import type { UserRow } from './models.ts';

/** An account as it was read. */
export type ReadAccount = Pick<UserRow, 'id' | 'tokens_after'>;

/**
 * The `jti` of a token for an account as it was read: one millisecond after what had ended by then. Its order comes
 * from the row and not from a clock, so that the token works however clocks are set, and ends with whatever ends tokens
 * after that read. When a token was issued stands in its `iat`.
 */
export function tokenId(account: ReadAccount): string {
  return idAt(endedUntil(account) + 1);
}

/** What `tokens_after` becomes to end every token issued so far, also those under way. Write it only over what was read. */
export function endOfTokens(account: ReadAccount): string {
  const [now, past] = [newId(), idAt(endedUntil(account) + 2)];
  return now > past ? now : past;
}

/** No token is older than its account. */
function endedUntil({ id, tokens_after }: ReadAccount): number {
  return timeOfId(tokens_after || id);
}

/** Not `newId(millis)`: a time ahead of the clock would take all later ids of the process along. */
function idAt(millis: number): string {
  return lowestIdAt(millis).slice(0, 14) + newId().slice(14);
}
