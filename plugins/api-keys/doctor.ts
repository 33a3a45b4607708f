import { CLOCK, DATABASE, DAY_MS, doctorCheck, isoDay, isoTime } from '../../core/index.ts';
import { ApiKeysSettings } from './config.ts';
import { KeyRow } from './models.ts';

/** More are only counted. */
const MOST_NAMED = 5;

/** Which keys end soon. */
export const endingKeys = doctorCheck({
  name: 'ending-keys',
  deps: { database: DATABASE, clock: CLOCK, settings: ApiKeysSettings.token },
  check: async ({ database, clock, settings: { warn_days: days } }) => {
    const now = clock.now();
    const ending = await KeyRow.query(database.knex)
      .whereNull('revoked_at')
      .where('expires_at', '>', isoTime(now))
      .where('expires_at', '<=', isoTime(now + days * DAY_MS))
      .orderBy('expires_at');
    if (ending.length === 0) return [{ state: 'ok', message: `No API key ends within ${days} days.` }];
    const named = ending
      .slice(0, MOST_NAMED)
      .map(({ name, mask, expires_at }) => `"${name}" (${mask}) on ${isoDay(Date.parse(expires_at))}`);
    const more = ending.length > MOST_NAMED ? ` and ${ending.length - MOST_NAMED} more` : '';
    return [
      {
        state: 'warning',
        message: `API keys end within ${days} days: ${named.join(', ')}${more}.`,
        mend: 'Its owner gives it a later expires_at (PATCH /api/v1/api-keys/{key_id}), or makes a new one for the program before then; the console has both at "API keys".',
      },
    ];
  },
});
