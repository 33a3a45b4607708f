import type { Migration } from '../../../core/index.ts';

export const retentionMigrations: readonly Migration[] = [
  {
    name: '0004_retention',
    up: async (trx, engine) => {
      const id = engine === 'postgres' ? 'text COLLATE "C"' : 'text';
      await trx.raw('ALTER TABLE invocation_calls ADD COLUMN payload text');
      await trx.raw(`CREATE TABLE invocation_retention (
        name text NOT NULL PRIMARY KEY,
        horizon ${id} NOT NULL,
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
