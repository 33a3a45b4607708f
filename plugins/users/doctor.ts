import { DATABASE, doctorCheck } from '../../core/index.ts';
import { UsersSettings } from './config.ts';
import { UserRow } from './models.ts';
import { createMailer } from './mail/mailer.ts';
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

/** Whether the mail server answers and accepts the account; no mail is sent. */
export const mailServer = doctorCheck({
  name: 'mail-server',
  deps: { settings: UsersSettings.token },
  check: async ({ settings }) => {
    if (settings.smtp_url === '')
      return [{ state: 'ok', message: 'SMTP_URL is not set, so no mail is sent.' }];
    const { protocol, host, hostname, port } = new URL(settings.smtp_url);
    const server = `The mail server ${host} (SMTP_URL)`;
    try {
      await createMailer(settings).verify();
      return [{ state: 'ok', message: `${server} answers and accepts the account.` }];
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      if (code === 'EAUTH') {
        const mend = 'Correct the user and the password in SMTP_URL; encode special characters of both.';
        return [{ state: 'fault', message: `${server} refuses the account: ${message}`, mend }];
      }
      const usual = protocol === 'smtps:' ? '465' : '587';
      const mend = `Start it, or correct SMTP_URL: nc -v ${hostname} ${port || usual}`;
      return [{ state: 'warning', message: `${server} takes no mail: ${message}`, mend }];
    }
  },
});
