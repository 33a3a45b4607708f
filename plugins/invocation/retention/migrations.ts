import { DAY_MS, isoDay, lowestIdAt, timeOfId, type Migration } from '../../../core/index.ts';
import { dayOfRecord } from '../rollups/call-totals.ts';
import { idType } from '../table-forms.ts';
import { countGone } from './gone.ts';
import type { Mark } from './marks.ts';

export const retentionMigrations: readonly Migration[] = [
  {
    name: '0004_retention',
    up: async (trx, engine) => {
      await trx.raw('ALTER TABLE invocation_calls ADD COLUMN payload text');
      await trx.raw(`CREATE TABLE invocation_retention (
        name text NOT NULL PRIMARY KEY,
        horizon ${idType(engine)} NOT NULL,
        passed bigint NOT NULL
      )`);
      await trx.raw(
        `INSERT INTO invocation_retention (name, horizon, passed) VALUES ('records', '', 0), ('payloads', '', 0)`,
      );
      await trx.raw(`CREATE TABLE invocation_leases (
        name text NOT NULL PRIMARY KEY,
        holder text NOT NULL,
        held_until bigint NOT NULL
      )`);
      await trx.raw(`INSERT INTO invocation_leases (name, holder, held_until) VALUES ('retention', '', 0)`);
    },
  },
];

export const goneMigrations: readonly Migration[] = [
  {
    name: '0012_gone_calls',
    up: async (trx, engine) => {
      // An instance of the release before does not count what it throws away: it cannot move the mark, and so throws nothing away.
      await trx.raw('ALTER TABLE invocation_retention RENAME TO invocation_retention_before');
      await trx.raw(`CREATE TABLE invocation_retention (
        name text NOT NULL PRIMARY KEY,
        horizon ${idType(engine)} NOT NULL,
        passed bigint NOT NULL,
        counted bigint NOT NULL DEFAULT 0,
        CHECK (name <> 'records' OR counted = passed)
      )`);
      await trx.raw(
        'INSERT INTO invocation_retention SELECT name, horizon, passed, passed FROM invocation_retention_before',
      );
      await trx.raw('DROP TABLE invocation_retention_before');
      for (const table of ['invocation_user_totals', 'invocation_algorithm_totals']) {
        await trx.raw(`ALTER TABLE ${table} ADD COLUMN gone bigint NOT NULL DEFAULT 0`);
      }
    },
  },
  {
    // Apart from the step before, for calls of other instances wait while it holds their roll-ups.
    name: '0013_gone_before',
    up: async (trx, engine) => {
      const mark = await trx('invocation_retention')
        .where('name', 'records')
        .first<Pick<Mark, 'horizon'> | undefined>('horizon');
      if (!mark?.horizon) return;
      // Until the day of the mark what the roll-ups counted is gone, but for the records that are still there.
      const at = timeOfId(mark.horizon);
      const source = `SELECT user_id, day, algorithm_id, status, SUM(calls) AS calls FROM (
          SELECT user_id, day, algorithm_id, status, calls FROM invocation_user_totals WHERE day > '' AND day <= ?
          UNION ALL
          SELECT user_id, ${dayOfRecord[engine]} AS day, algorithm_id, status, -1 AS calls
          FROM invocation_calls WHERE id < ?
        ) AS known GROUP BY user_id, day, algorithm_id, status HAVING SUM(calls) <> 0`;
      const until = lowestIdAt((Math.floor(at / DAY_MS) + 1) * DAY_MS);
      for (const sql of countGone(source)) await trx.raw(sql, [isoDay(at), until]);
    },
  },
];
