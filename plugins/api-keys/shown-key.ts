import { DAY_MS, SCOPES } from '../../core/index.ts';
import type { KeyRow } from './models.ts';
import type { ApiKey } from './schemas.ts';
import { listIn, scopesIn } from './stored-lists.ts';

/** What the answer about a key takes besides its row: the time, and how many days before its expiry one is warned. */
export interface ShownAt {
  readonly now: number;
  readonly warnDays: number;
}

/** Whether a key expires within the days of warning. One that was made for no longer than these is not warned about. */
export function expiresSoon(
  { created_at, expires_at }: Pick<KeyRow, 'created_at' | 'expires_at'>,
  { now, warnDays }: ShownAt,
): boolean {
  const end = Date.parse(expires_at);
  const warning = warnDays * DAY_MS;
  return end > now && end - now <= warning && end - Date.parse(created_at) > warning;
}

/** A key as it is answered: masked. */
export function shown(row: KeyRow, at: ShownAt, last_used_at: string | null = null): ApiKey {
  const { id, user_id, mask: key, name, expires_at, created_at, updated_at, previous_until } = row;
  const ended = Date.parse(expires_at) <= at.now ? 'expired' : 'active';
  const status = row.revoked_at === null ? ended : 'revoked';
  const overlaps = status === 'active' && previous_until !== null && Date.parse(previous_until) > at.now;
  return {
    id,
    user_id,
    key,
    name,
    expires_at,
    scopes: [...(scopesIn(row.scopes) ?? SCOPES)],
    algorithms: copied(listIn(row.algorithms)),
    networks: copied(listIn(row.networks)),
    status,
    expires_soon: status === 'active' && expiresSoon(row, at),
    previous_expires_at: overlaps ? previous_until : null,
    created_at,
    updated_at,
    last_used_at,
  };
}

function copied(list: readonly string[] | undefined): string[] | null {
  return list ? [...list] : null;
}
