import type { Migration } from '../../../core/index.ts';
import { idType } from '../table-forms.ts';

export const journalMigrations: readonly Migration[] = [
  {
    name: '0011_open_calls',
    up: async (trx, engine) => {
      const id = idType(engine);
      await trx.raw(`CREATE TABLE invocation_open_calls (
        id ${id} NOT NULL PRIMARY KEY,
        user_id ${id} NOT NULL,
        algorithm_id ${id} NOT NULL,
        version_id ${id} NOT NULL,
        instance ${id} NOT NULL,
        door text NOT NULL,
        status text NOT NULL,
        error_code text,
        error_message text,
        response_time double precision NOT NULL,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL,
        request_id text,
        input_data text,
        params text,
        output_data text,
        payload text
      )`);
      await trx.raw(
        `CREATE TABLE invocation_instances (id ${id} NOT NULL PRIMARY KEY, beats bigint NOT NULL)`,
      );
    },
  },
];
