import { command, randomSecret, ValidationFailed } from '../../core/index.ts';
import { checkNewAccount } from './account-rules.ts';
import { REGISTRATION } from './registration.ts';
import { isWellKnown } from './well-known-passwords.ts';

export const createAdmin = command({
  name: 'create-admin',
  summary: 'Creates an administrator.',
  options: [
    { flags: '--username <name>', description: 'The username.', required: true },
    { flags: '--email <address>', description: 'The e-mail address.', required: true },
    { flags: '--password <text>', description: 'The password; by default one is made and printed once.' },
  ],
  deps: { registration: REGISTRATION },
  async run(options, { registration }) {
    const given = typeof options['password'] === 'string' ? options['password'] : undefined;
    const password = given ?? randomSecret(18).toString('base64url');
    const account = { username: String(options['username']), email: String(options['email']), password };
    checkNewAccount(account);
    if (isWellKnown(password, account.username)) {
      throw ValidationFailed('The password is one of those that everybody tries first. Choose another one.');
    }
    const { id, username, email, role } = await registration.createAdmin(account);
    const made = given === undefined ? ` Its password is ${password} and is not shown again.` : '';
    return {
      message: `The administrator "${username}" was created.${made}`,
      data: { id, username, email, role, ...(given === undefined ? { password } : {}) },
    };
  },
});
