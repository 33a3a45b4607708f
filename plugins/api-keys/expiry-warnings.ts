import { DAY_MS, isoTime, type Clock, type Database, type EventBus } from '../../core/index.ts';
import type { ApiKeysSettings } from './config.ts';
import { keyExpiresSoon } from './contract.ts';
import { KeyRow } from './models.ts';
import { expiresSoon } from './shown-key.ts';

/** Emits `keyExpiresSoon` for keys that expire within the days of warning, once for each expiry of a key. */
export async function warnOfExpiry({
  database,
  clock,
  events,
  settings,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: EventBus;
  readonly settings: ApiKeysSettings;
}): Promise<void> {
  const at = { now: clock.now(), warnDays: settings.warn_days };
  const now = isoTime(at.now);
  const unwarned = () => KeyRow.query(database.knex).whereNull('warned_at').whereNull('revoked_at');
  const near = await unwarned()
    .where('expires_at', '>', now)
    .where('expires_at', '<=', isoTime(at.now + at.warnDays * DAY_MS));
  for (const { id, user_id, name, expires_at } of near.filter((row) => expiresSoon(row, at))) {
    // A key whose expiry was changed meanwhile is judged by the next run.
    const marked = await unwarned().where({ id, expires_at }).patch({ warned_at: now });
    if (marked === 1) events.emit(keyExpiresSoon, { key_id: id, user_id, name, expires_at });
  }
}
