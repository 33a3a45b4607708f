import Type from 'typebox';
import { defineSettings, setting, type SettingsOf } from '../config/settings.ts';
import { locationComplaint } from './location.ts';

/** The location of the database, and how long to wait for it. */
export const DatabaseSettings = defineSettings(
  'database',
  {
    url: setting(Type.String(), {
      default: '',
      env: 'DATABASE_URL',
      secret: true,
      description:
        '`sqlite:PATH` or `postgres://USER:PASSWORD@HOST:PORT/NAME`; empty means the file `vitrine.db` in the data directory.',
    }),
    pool_size: setting(Type.Integer({ minimum: 1, maximum: 200 }), {
      default: 10,
      description:
        'Connections to PostgreSQL for queries and transactions; seven more serve the hot path. SQLite has one.',
    }),
    connect_timeout_ms: setting(Type.Integer({ minimum: 100, maximum: 60_000 }), {
      default: 5_000,
      description:
        'Milliseconds to wait for a connection before the answer is 503; when PostgreSQL accepts no new ones within this time, the existing ones are closed, so that statements fail at once instead of waiting.',
    }),
    statement_timeout_ms: setting(Type.Integer({ minimum: 100, maximum: 3_600_000 }), {
      default: 30_000,
      description: 'Milliseconds that one statement may take on PostgreSQL.',
    }),
    backup_before_upgrade: setting(Type.Boolean(), {
      default: true,
      description:
        'Copies a SQLite database into the folder `backups` beside it before an upgrade changes its tables; the last three copies are kept.',
    }),
  },
  ({ url }) => ({ url: locationComplaint(url) }),
);
export type DatabaseSettings = SettingsOf<typeof DatabaseSettings>;
