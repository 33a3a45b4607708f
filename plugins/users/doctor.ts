import { DATABASE, doctorCheck } from '../../core/index.ts';
import { UsersSettings } from './config.ts';
import { UserRow } from './models.ts';
import { createPasswords } from './passwords.ts';

/** Whether passwords can be hashed, which needs the native module argon2. */
export const passwordHashing = doctorCheck({
  name: 'password-hashing',
  deps: {},
  check: async () => {
    await createPasswords().hash('a password of the doctor');
    return [{ state: 'ok', message: 'The native module argon2 hashes passwords.' }];
  },
});

/** Whether anybody can administer the installation. */
export const administrators = doctorCheck({
  name: 'administrators',
  deps: { database: DATABASE, settings: UsersSettings.token },
  check: async ({ database, settings }) => {
    const count = await UserRow.query(database.knex).where({ role: 'admin', status: 'active' }).resultSize();
    if (count > 0) return [{ state: 'ok', message: `Active administrators: ${count}.` }];
    const first = settings.first_is_admin && settings.registration;
    return [
      {
        state: 'warning',
        message: `There is no active administrator${first ? '; the first account to register on an empty database becomes one' : ''}.`,
        mend: 'vitrine create-admin --username NAME --email ADDRESS',
      },
    ];
  },
});
