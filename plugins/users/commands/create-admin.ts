import { command } from '../../../core/index.ts';
import { checkNewAccount } from '../account-rules.ts';
import { REGISTRATION } from '../registration.ts';
import { passwordFrom } from './made-password.ts';

export const createAdmin = command({
  name: 'create-admin',
  summary: 'Creates an administrator.',
  options: [
    { flags: '--username <name>', description: 'The username.', required: true },
    { flags: '--email <address>', description: 'The e-mail address.', required: true },
    { flags: '--password <text>', description: 'The password; by default one is made and printed once.' },
  ],
  makesInstallation: true,
  deps: { registration: REGISTRATION },
  async run(options, { registration }) {
    const [username, email] = [String(options['username']), String(options['email'])];
    const made = passwordFrom(options['password'], username);
    const account = { username, email, password: made.password };
    checkNewAccount(account);
    const { id, role, ...user } = await registration.createAdmin(account, {
      kind: 'command',
      name: 'create-admin',
    });
    return {
      message: `The administrator "${user.username}" was created.${made.sentence}`,
      data: { id, username: user.username, email: user.email, role, ...made.data },
    };
  },
});
