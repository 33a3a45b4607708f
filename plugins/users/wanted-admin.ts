import { accountErrors, type NewAccount } from './account-rules.ts';
import { isWellKnown } from './well-known-passwords.ts';

/** The settings of an administrator; an empty text is a setting that is not set. */
interface AdminSettings {
  readonly admin_username: string;
  readonly admin_email: string;
  readonly admin_password: string;
}

/** The administrator of the settings; `undefined` when they define none. */
export function wantedAdmin(settings: AdminSettings): NewAccount | undefined {
  const { admin_username, admin_email, admin_password: password } = settings;
  if (password === '') return undefined;
  const username = admin_username || 'admin';
  return { username, email: admin_email || `${username.replace(/@.*/, '')}@localhost`, password };
}

/** Why the settings define no valid account, by setting. */
export function adminComplaints(settings: AdminSettings): Partial<Record<keyof AdminSettings, string>> {
  const { admin_username, admin_email } = settings;
  const wanted = wantedAdmin(settings);
  if (!wanted) {
    const isMissing = admin_username !== '' || admin_email !== '';
    return isMissing ? { admin_password: 'must be set as well, since ADMIN_USERNAME or ADMIN_EMAIL is' } : {};
  }
  const { username, email, password } = accountErrors(wanted);
  return {
    ...(username !== undefined && { admin_username: `${username}, and is "${wanted.username}"` }),
    // By default the address follows from the username.
    ...(email !== undefined && admin_email !== '' && { admin_email: `${email}, and is "${admin_email}"` }),
    ...(password !== undefined && { admin_password: password }),
    ...(isWellKnown(wanted.password, wanted.username) && {
      admin_password: 'is one of those that everybody tries first; choose another one',
    }),
  };
}
